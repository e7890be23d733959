// Answers each line, a kind and a value, with what the page says of it aloud: lines, a frame, or news.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const page = (name) => import(pathToFileURL(`${process.argv[2]}/${name}`));
const { aloud } = await page('story/aloud.js');
const { newsLine } = await page('story/news.js');
const { frameLines, stageLine } = await page('story/story.js');

const LINES = {
  lines: (lines) => lines,
  frame: (frame) => [...frameLines(frame), stageLine(frame.view.stage)],
  news: (news) => [newsLine(news)],
};

for await (const line of createInterface({ input: process.stdin })) {
  const [kind, value] = JSON.parse(line);
  const sentences = LINES[kind](value).map(aloud);
  console.log(JSON.stringify(kind === 'lines' ? sentences : sentences.filter(Boolean)));
}
