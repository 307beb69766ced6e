import type { JsonValue } from "../../../src/index.ts";

/** Values that a field of a CLI's line should not have. */
export const HOSTILE_VALUES: readonly [JsonValue, ...JsonValue[]] = [
  ...([null, true, false, 0, -1, 0.5, 1e308, -1e308, Number.MAX_SAFE_INTEGER + 2] as const),
  ...[
    "",
    " ",
    "\n",
    "a\r\nb",
    "\0",
    "\ud800",
    "\u202e",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "NaN",
    "-1",
    "x".repeat(10_000),
  ],
  ...[[], [[]], [null], ["a", 1], {}, { type: "text" }, { type: null }, { a: { b: { c: [] } } }],
  ...[
    "system",
    "init",
    "result",
    "success",
    "assistant",
    "error",
    "stream_event",
    "message_start",
    "turn.completed",
    "completed",
  ],
];

/** JSON texts that `JSON.stringify` does not make; they stand in the place of a value. */
export const HOSTILE_TEXTS: readonly [string, ...string[]] = [
  ...([
    "1e999",
    "-1e999",
    "-0",
    "01",
    "NaN",
    "undefined",
    "'a'",
    '"\\u0000"',
    '"\\ud800"',
    '{"__proto__":{"polluted":1}}',
  ] as const),
  ...[
    '{"a":1,"a":2}',
    "[1,]",
    "{",
    "]",
    '"open',
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
  ],
];

/** Names that a key should not have. */
export const HOSTILE_KEYS: readonly [string, ...string[]] = [
  ...([
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "type",
    "id",
    "text",
    "usage",
    "message",
    "content",
    "error",
  ] as const),
];
