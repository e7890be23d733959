// Answers each line, a list of notices, with a line of JSON: the list of their sentences.

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { sentence } = await import(pathToFileURL(`${process.argv[2]}/story/story.js`));
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(JSON.parse(line).map(sentence)));
}
