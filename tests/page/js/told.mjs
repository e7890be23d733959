// Prints the sentence of each notice that stands on a line of a file.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const { sentence } = await import(pathToFileURL(`${folder}/story/story.js`));
for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
  console.log(JSON.stringify(sentence(JSON.parse(line))));
}
