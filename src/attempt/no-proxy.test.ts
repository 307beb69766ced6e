import { expect, it } from "vitest";
import { noProxyFor } from "./bridged-attempt.ts";

const both = (value: string) => ({ NO_PROXY: value, no_proxy: value });

it.each([
  ["no proxy", { NO_PROXY: "a.example" }, {}],
  ["a proxy", { HTTP_PROXY: "http://p" }, both("127.0.0.1")],
  ["a proxy in small letters", { https_proxy: "http://p" }, both("127.0.0.1")],
  ["an empty proxy", { HTTP_PROXY: "" }, {}],
  ["a list", { ALL_PROXY: "http://p", no_proxy: "a.example,b.example" }, both("a.example,b.example,127.0.0.1")],
  ["the same list twice", { HTTP_PROXY: "http://p", NO_PROXY: "a", no_proxy: "a" }, both("a,127.0.0.1")],
  ["two lists", { HTTP_PROXY: "http://p", NO_PROXY: "a", no_proxy: "b" }, both("a,b,127.0.0.1")],
  ["a list of everything", { HTTP_PROXY: "http://p", NO_PROXY: "*" }, {}],
])("an environment with %s", (_what, env, added) => {
  expect(noProxyFor("127.0.0.1", env)).toEqual(added);
});
