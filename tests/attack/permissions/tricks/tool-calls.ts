import type { JsonObject } from "../../../../src/spec/json.ts";
import type { FakeToolCall } from "../../../../src/testing/index.ts";
import type { Writer } from "./cli-tools.ts";

/** A tool that writes a whole text. */
export const writer = (name: string, path: string, text: string, more: JsonObject = {}): Writer => ({
  name,
  replacesAll: true,
  toCall: (file, content) => ({ name, input: { ...more, [path]: file, [text]: content } }),
});
/** A tool that replaces the word `alpha`. */
export const replacer = (name: string, path: string, old: string, now: string, more: JsonObject = {}): Writer => ({
  name,
  toCall: (file, content) => ({ name, input: { ...more, [path]: file, [old]: "alpha", [now]: content } }),
});
/** A tool that replaces nothing, which makes a new file. */
export const emptyReplacer = (name: string, path: string, old: string, now: string, more: JsonObject = {}): Writer => ({
  name: `${name} of nothing`,
  toCall: (file, content) => ({ name, input: { ...more, [path]: file, [old]: "", [now]: content } }),
});
/** A tool that applies a patch, given as free text or in a field. */
export const patcher = (name: string, kind: "Add" | "Update", field?: string): Writer => ({
  name: `${name} that ${kind === "Add" ? "adds" : "updates"}`,
  toCall: (file, content) => {
    const body = kind === "Add" ? `*** Add File: ${file}\n+${content}` : `*** Update File: ${file}\n@@\n-alpha\n+${content}`;
    const patch = `*** Begin Patch\n${body}\n*** End Patch\n`;
    return { name, input: field === undefined ? patch : { [field]: patch } };
  },
});
/** A call of a tool. */
export const call = (name: string, input: JsonObject = {}): FakeToolCall => ({ name, input });
