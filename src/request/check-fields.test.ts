import { expect, it } from "vitest";
import { checkFields, checkRequestTypes } from "./settle.ts";

it.each([
  [{ prompt: "Hello", sytem: "x" }, 'request has no field "sytem". Did you mean system?'],
  [{ prompt: "Hello", timeouts: { totalMS: 1 } }, 'request.timeouts has no field "totalMS". Did you mean totalMs?'],
  [{ prompt: "Hello", permissions: { forbid: [] } }, 'request.permissions has no field "forbid".'],
  [{ prompt: "Hello", budget: { eur: 1 } }, 'request.budget has no field "eur".'],
  [JSON.parse('{"prompt": "Hello", "constructor": 1}'), 'request has no field "constructor".'],
])("%j is refused by name", (request, message) => {
  expect(() => checkFields(request)).toThrow(new TypeError(message));
});

it("an unknown field that is undefined is allowed, as are all fields of a request", () => {
  expect(() => checkFields({ prompt: "Hello", other: undefined, timeouts: { idleMs: 1 }, budget: { usd: 1 } })).not.toThrow();
});

it.each(["timeouts", "permissions", "session", "mcpServers"])("%s must be an object", (name) => {
  for (const value of [null, "text", []])
    expect(() => checkRequestTypes({ prompt: "Hello", [name]: value })).toThrow(
      new TypeError(`request.${name} must be an object.`),
    );
});
