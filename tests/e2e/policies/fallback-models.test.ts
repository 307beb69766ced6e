import { expect, it } from "vitest";
import type { TargetChoice } from "../../../src/index.ts";
import { type Fleet, openFleet } from "../../support/clis/open-fleet.ts";
import { answers, fails } from "../../support/clis/plays.ts";
import { eventsOf } from "../../support/runs/read-run.ts";

const MODELS = { smart: { a: "a-large", b: "b-huge" }, quick: { b: "b-tiny" } };

it.each<[string, readonly TargetChoice[], readonly (string | undefined)[]]>([
  ["a name of the map is each provider's own name", ["a/smart", "b/smart", "c"], ["a-large", "b-huge", undefined]],
  ["a later target without a model takes over the name", ["a/smart", "b", "c"], ["a-large", "b-huge", undefined]],
  [
    "target objects are mapped like strings",
    [{ provider: "a", model: "smart" }, { provider: "b" }, "c"],
    ["a-large", "b-huge", undefined],
  ],
  ["another name is used as given", ["a/special", "b/other", "c/smart"], ["special", "other", "smart"]],
  ["a name that is not in the map is not taken over", ["a/special", "b", "c"], ["special", undefined, undefined]],
  [
    "a name that the map lacks for the first provider is used there as given",
    ["a/quick", "b", "c"],
    ["quick", "b-tiny", undefined],
  ],
  ["only the name of the first target is taken over", ["a", "b/smart", "c"], [undefined, "b-huge", undefined]],
  ["a target's own name wins over the first one's", ["a/smart", "b/quick", "c/x"], ["a-large", "b-tiny", "x"]],
  ["names with a slash are whole names", ["a/vendor/model", "b", "c"], ["vendor/model", undefined, undefined]],
])("%s", async (_name, targets, asked) => {
  const fleet = openThree();
  const { events, result } = await fleet.finish(targets);
  expect(["a", "b", "c"].flatMap((id) => fleet.calls(id)).map(({ told }) => told.model)).toEqual(asked);
  expect(eventsOf(events, "attempt-start").map(({ model }) => model)).toEqual(asked);
  expect(result.attempts?.map(({ model }) => model)).toEqual(asked);
});

it("a single target is mapped too, and its retries with it", async () => {
  const fleet = openFleet({ a: [fails("overloaded"), answers("Here.")] }, { policies: { fallback: { models: MODELS } } });
  await fleet.finish("a/smart");
  expect(fleet.calls("a").map(({ told }) => told.model)).toEqual(["a-large", "a-large"]);
});

it("without a map names are used as given", async () => {
  const fleet = openFleet({ a: [fails("model-unknown")], b: [answers("Here.")] });
  await fleet.finish(["a/smart", "b"]);
  expect([fleet.calls("a")[0]?.told.model, fleet.calls("b")[0]?.told.model]).toEqual(["smart", undefined]);
});

it("inherited object properties are not entries of the map", async () => {
  const fleet = openFleet({ a: [answers("Here.")] }, { policies: { fallback: { models: MODELS } } });
  await fleet.finish("a/constructor");
  expect(fleet.calls("a")[0]?.told.model).toBe("constructor");
});

function openThree(): Fleet {
  const plays = { a: [fails("model-unknown")], b: [fails("model-unknown")], c: [answers("From c.")] };
  return openFleet(plays, { policies: { fallback: { models: MODELS } } });
}
