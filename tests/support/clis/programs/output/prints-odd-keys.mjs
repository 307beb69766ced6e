// Prints a call, its result and an unknown line with the names that every JavaScript object inherits, then a good answer.
import { assistant, init, print, result, writeAll } from "../claude-lines.mjs";

const odd = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"toString":"words","hasOwnProperty":1}';
print(init());
writeAll(`${odd}\n`);
const call = `{"type":"tool_use","id":"__proto__","name":"constructor","input":${odd}}`;
writeAll(`{"type":"assistant","message":{"id":"__proto__","model":"test-model","content":[${call}]}}\n`);
const output = '{"type":"tool_result","tool_use_id":"__proto__","content":"x"}';
writeAll(`{"type":"user","message":{"content":[${output}]},"tool_use_result":${odd}}\n`);
print(assistant("All good.", "toString"), { ...result("All good."), stop_reason: "constructor" });
