// Answers each sheet, view, wish and place with what the page would order: the orders of each entry that the
// place means, of each entry of a list, and of all, and how their lines read.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const page = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`));
const { entriesAt, isOnMap, looseOf, waysOf } = await page('seat/ways.js');
const { orderLine } = await page('seat/orderline.js');
const { learnLabels } = await page('story/story.js');

function answer({ sheet, view, size, place, site }) {
  const labels = new Map();
  learnLabels(view, labels);
  const ways = waysOf(sheet, view, { size, isSensing: true, labels });
  const shown = ways.filter((way) => isOnMap(way) && String(way.site ?? '') === String(site ?? ''));
  const all = ways.flatMap(({ entries }) => entries.map(({ orders }) => orders));
  return {
    here: shown.flatMap((way) => entriesAt(way, place)).map(({ orders }) => orders),
    lists: ways.flatMap(looseOf).map(({ orders }) => orders),
    all,
    lines: all.map((orders) => orders.map((order) => orderLine(order, labels))),
  };
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(answer(JSON.parse(line))));
