import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { minimalInstance } from "../../src/rehearsal/minimal-instance.ts";
import { dig, kindsOf, rehearse, startRehearsal } from "../support/cox/start-rehearsal.ts";

describe.concurrent("the flags of the rehearsal CLI", () => {
  test("--version prints the version of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const started = startRehearsal("--version");
    expect(await started.ended).toMatchObject({ stdout: `rehearsal ${version}\n`, exitCode: 0 });
  });

  test.each(["--no-input", "--x=1", "-z"])("%s is refused as the real CLI refuses it", async (flag) => {
    const started = startRehearsal("-p", flag);
    const name = flag.replace(/=.*/, "");
    expect(await started.ended).toMatchObject({ stdout: "", stderr: `error: unknown option '${name}'\n`, exitCode: 1 });
  });

  test("flags without an effect are accepted", async () => {
    const flags = [
      "-p",
      "--verbose",
      "--include-partial-messages",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
    ];
    const more = [
      "--tools",
      "",
      "--setting-sources",
      "",
      "--strict-mcp-config",
      "--disable-slash-commands",
      "--no-session-persistence",
    ];
    const { lines, exitCode } = await rehearse("hi", ...flags, ...more, "--add-dir", "/a", "/b", "--system-prompt", "-be brief");
    expect(lines[0]).toMatchObject({ tools: [], model: "friendly" });
    expect(exitCode).toBe(0);
  });

  test("--tools and --permission-mode show in the first line", async () => {
    const { lines } = await rehearse("hi", "--tools", "Bash,Read", "--permission-mode", "plan");
    expect(lines[0]).toMatchObject({ subtype: "init", tools: ["Bash", "Read"], permissionMode: "plan" });
  });

  test("--json-schema is answered by a StructuredOutput call, its value and its JSON text", async () => {
    const schema = {
      type: "object",
      properties: { boat: { type: "string" }, seats: { type: "integer", minimum: 4 } },
      required: ["boat", "seats"],
    };
    const { lines, exitCode } = await rehearse("hi", "--json-schema", JSON.stringify(schema));
    const call = lines.find((line) => line["type"] === "assistant");
    expect(kindsOf(lines).slice(-2)).toEqual(["user", "result"]);
    expect(dig(call, "message", "content", 0)).toMatchObject({ name: "StructuredOutput", input: { boat: "boat", seats: 4 } });
    expect(lines.at(-1)).toMatchObject({
      structured_output: { boat: "boat", seats: 4 },
      stop_reason: "tool_use",
      is_error: false,
    });
    expect(JSON.parse(String(lines.at(-1)?.["result"]))).toEqual({ boat: "boat", seats: 4 });
    expect(exitCode).toBe(0);
  });

  test("--json-schema that is not JSON is refused", async () => {
    const started = startRehearsal("--json-schema", "{");
    expect(await started.ended).toMatchObject({ stdout: "", stderr: "Error: --json-schema is not valid JSON\n", exitCode: 1 });
  });
});

describe.concurrent("the smallest instance of a schema", () => {
  const person = { type: "object", properties: { name: { type: "string" }, note: { type: "string" } }, required: ["name"] };
  test.each([
    { what: "required properties only", schema: person, value: { name: "name" } },
    { what: "the first of an enum", schema: { enum: ["port", "starboard"] }, value: "port" },
    { what: "a constant", schema: { const: 7 }, value: 7 },
    {
      what: "an array as short as it may be",
      schema: { type: "array", items: person, minItems: 2 },
      value: [{ name: "name" }, { name: "name" }],
    },
    { what: "an empty array where none is asked for", schema: { type: "array", items: person }, value: [] },
    { what: "a boolean", schema: { type: "boolean" }, value: true },
    { what: "null", schema: { type: "null" }, value: null },
    { what: "a number above an open bound", schema: { type: "integer", exclusiveMinimum: 4 }, value: 5 },
    { what: "a number between open bounds", schema: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, value: 0.5 },
    { what: "a number below zero", schema: { type: "integer", maximum: -3 }, value: -3 },
    { what: "a multiple", schema: { type: "integer", minimum: 7, multipleOf: 5 }, value: 10 },
    { what: "a string of the right length", schema: { type: "string", minLength: 6, maxLength: 6 }, value: "text.." },
    { what: "a date", schema: { type: "string", format: "date" }, value: "2026-01-01" },
    { what: "the first of several types", schema: { type: ["null", "string"] }, value: null },
    { what: "the first alternative", schema: { anyOf: [{ type: "integer" }, { type: "string" }] }, value: 0 },
    {
      what: "all parts together",
      schema: { allOf: [person, { properties: { age: { type: "integer" } }, required: ["age"] }] },
      value: { name: "name", age: 0 },
    },
    { what: "a definition", schema: { $ref: "#/$defs/person", $defs: { person } }, value: { name: "name" } },
    {
      what: "a list of itself",
      schema: { type: "object", properties: { next: { type: "array", items: { $ref: "#" } } }, required: ["next"] },
      value: { next: [] },
    },
  ])("has $what", ({ schema, value }) => {
    expect(minimalInstance(schema)).toEqual(value);
  });

  test("is finite for a definition that refers only to itself", () => {
    expect(minimalInstance({ type: "object", required: ["toString", "constructor"] })).toEqual({
      toString: "toString",
      constructor: "constructor",
    });
    expect(minimalInstance({ type: "string", format: "constructor" })).toBe("text");
    expect(minimalInstance({ $ref: "#/constructor" })).toBe("text");
    expect(minimalInstance({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } })).toBe("text");
  });
});
