import { expect, it } from "vitest";
import type { Target } from "../spec/request.ts";
import { mapModels, type Targets } from "./targets.ts";

const models = { smart: { a: "a-large", b: "b-huge" }, quick: { b: "b-tiny" } };

it("a target keeps everything but its model", () => {
  const target: Target = { provider: "a", model: "smart", profile: "/p", requires: { images: true } };
  expect(map([target])).toEqual([{ ...target, model: "a-large" }]);
});

it("an alias is resolved to its provider", () => {
  expect(map([{ provider: "alias-of-a", model: "smart" }, { provider: "b" }]).map(({ model }) => model)).toEqual([
    "a-large",
    "b-huge",
  ]);
});

it("a target without an entry in the map is returned unchanged", () => {
  const targets: Targets = [{ provider: "a" }, { provider: "b", model: "other" }];
  expect(map(targets)).toEqual(targets);
  expect(mapModels(targets, {}, (id) => id)).toEqual(targets);
});

it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("%s is an ordinary model name", (name) => {
  expect(map([{ provider: "a", model: name }, { provider: "b" }])).toEqual([{ provider: "a", model: name }, { provider: "b" }]);
  expect(map([{ provider: name, model: "smart" }])).toEqual([{ provider: name, model: "smart" }]);
});

function map(targets: Targets): readonly Target[] {
  return mapModels(targets, { models }, (name) => (name === "alias-of-a" ? "a" : name));
}
