// Reads an AsyncAPI document with the official parser and prints what that has to say against it.

import { readFileSync } from "node:fs";

import { Parser } from "@asyncapi/parser";

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], "utf-8"));
for (const { severity, code, message, path } of diagnostics) {
  console.log(JSON.stringify({ severity, code, message, path: path.join(".") }));
}
const kinds = document?.allMessages().all().map((message) => message.name()) ?? [];
console.log(JSON.stringify({ messages: kinds }));
process.exitCode = document === undefined ? 1 : 0;
