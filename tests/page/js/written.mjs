// Answers each line, a question and its values, with a line of JSON: orders as they are typed, reviews
// as they are said, and what a seat pledges.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const page = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`));
const { orderLine } = await page('seat/orderline.js');
const { pledgeOf } = await page('seat/seals.js');
const { idleLines, lossLine } = await page('story/reviews.js');

const ANSWERS = {
  orders: (orders) => orders.map((order) => orderLine(order)),
  losses: (losses) => losses.map(lossLine),
  idle: ({ idle, phase }) => idleLines(idle, phase, new Map()),
  pledge: (bytes) => pledgeOf(new Uint8Array(bytes)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [kind, values] = JSON.parse(line);
  console.log(JSON.stringify(ANSWERS[kind](values)));
}
