import { expect, test } from "vitest";
import { type AskOptions, toRequest } from "./ask-options.ts";

const NONE: AskOptions = { background: true, fallback: true, retries: 2, serve: true };

test("without options a request is empty", async () => {
  expect(await toRequest(NONE, undefined)).toEqual({});
});

test("text is appended to the system prompt, or to the CLI's own without one", async () => {
  expect(await toRequest({ ...NONE, appendSystem: "Rhyme." }, "Be brief.")).toEqual({ system: "Be brief.\n\nRhyme." });
  expect(await toRequest({ ...NONE, appendSystem: "Rhyme." }, undefined)).toEqual({ system: "Rhyme.", systemMode: "append" });
});

test("effort and forbidden tools are passed on", async () => {
  const options: AskOptions = {
    ...NONE,
    effort: "high",
    agent: true,
    cwd: "/",
    allowTool: ["Read"],
    denyTool: ["Bash", "WebFetch"],
  };
  expect(await toRequest(options, undefined)).toEqual({
    effort: "high",
    mode: "agent",
    cwd: "/",
    permissions: { allow: ["Read"], deny: ["Bash", "WebFetch"] },
  });
});
