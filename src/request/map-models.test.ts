import { expect, it } from "vitest";
import { claude } from "../clis/claude/provider.ts";
import type { Target, Targets } from "../spec/request.ts";
import { mapModels, type ResolvedTarget, type ResolvedTargets } from "./targets.ts";

const models = { smart: { a: "a-large", b: "b-huge" }, quick: { b: "b-tiny" }, other: { "alias-of-a": "a-other" } };
const providers = ["a", "b"].map((id) => ({ ...claude, id, aliases: id === "a" ? ["alias-of-a"] : [] }));

it("a target keeps everything but its model", () => {
  const target: Target = { provider: "a", model: "smart", profile: "/p", requires: { images: true } };
  expect(map([target])).toEqual([{ ...target, model: "a-large" }]);
});

it("the map may name a provider by an alias", () => {
  expect(map([{ provider: "a", model: "other" }])).toEqual([{ provider: "a", model: "a-other" }]);
});

it("a target without a model gets the name that its provider has for the first target's", () => {
  expect(map([{ provider: "a", model: "smart" }, { provider: "b" }]).map(({ model }) => model)).toEqual(["a-large", "b-huge"]);
});

it("a target without an entry in the map is returned unchanged", () => {
  const targets: Targets = [{ provider: "a" }, { provider: "b", model: "unlisted" }];
  expect(map(targets)).toEqual(targets);
  expect(mapModels(resolved(targets), { providers }, {}).map(({ target }) => target)).toEqual(targets);
});

it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])("%s is an ordinary model name", (name) => {
  expect(map([{ provider: "a", model: name }, { provider: "b" }])).toEqual([{ provider: "a", model: name }, { provider: "b" }]);
});

function map(targets: Targets): readonly Target[] {
  return mapModels(resolved(targets), { providers }, { models }).map(({ target }) => target);
}

function resolved([first, ...others]: Targets): ResolvedTargets {
  return [withProvider(first), ...others.map(withProvider)];
}

function withProvider(target: Target): ResolvedTarget {
  return { target, provider: providers.find(({ id }) => id === target.provider) ?? claude };
}
