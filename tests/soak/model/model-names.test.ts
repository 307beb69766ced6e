import { expect, it } from "vitest";
import { nameModels } from "./model-names.ts";
import { createAbleClient, runDecided, shortEvents } from "./predict-decided.ts";

const MODELS = { smart: { a: "opus", b: "gpt" }, quick: { a: "haiku" } };

function namesOf(...targets: readonly string[]): readonly string[] {
  const parsed = targets.map((target) => {
    const [provider = "", model] = target.split("/");
    return { provider, ...(model !== undefined && { model }) };
  });
  return nameModels(parsed, MODELS).map(({ provider, model }) => (model === undefined ? provider : `${provider}/${model}`));
}

it("a target whose model is in the map is asked for its provider's name", () => {
  expect(namesOf("a/smart", "b/smart", "a/quick")).toEqual(["a/opus", "b/gpt", "a/haiku"]);
});

it("a later target without a model takes over the name that the first target had, if the map knows it for that provider", () => {
  expect(namesOf("a/smart", "b", "c", "a/quick", "b")).toEqual(["a/opus", "b/gpt", "c", "a/haiku", "b/gpt"]);
});

it("the name that the first target had is the one before the map changed it", () => {
  expect(nameModels([{ provider: "a", model: "x" }, { provider: "b" }], { x: { a: "y", b: "z" }, y: { b: "wrong" } })).toEqual([
    { provider: "a", model: "y" },
    { provider: "b", model: "z" },
  ]);
});

it("otherwise a target's model is used as given, or is the CLI's default", () => {
  expect(namesOf("a", "b/other", "b/quick", "c", "a/toString")).toEqual(["a", "b/other", "b/quick", "c", "a/toString"]);
});

it("a first target without a model gives no name to take over", () => {
  expect(namesOf("a", "b")).toEqual(["a", "b"]);
});

it("without fallback no name is changed", () => {
  const run = runDecided(createAbleClient({ fallback: false }), { targets: [{ provider: "a", model: "smart" }] });
  expect(shortEvents(run)).toEqual(["attempt 1 a/smart"]);
});
