import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { builtinProviders } from "../../src/index.ts";
import { serve, TOKEN } from "../support/serve-gateway.ts";

const rehearsal = builtinProviders.filter(({ id }) => id === "rehearsal");
const missing = builtinProviders.filter(({ id }) => id === "codex");
const options = {
  providers: [...rehearsal, ...missing],
  aliases: { best: "rehearsal/slow,rehearsal" },
  env: { PATH: "/nonexistent" },
};

test("OpenAI's client lists the aliases, the installed CLIs and their models, and finds one", async () => {
  const { url } = await serve(options);
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: TOKEN });
  const listed: string[] = [];
  for await (const { id, owned_by } of openai.models.list()) listed.push(`${owned_by}: ${id}`);
  expect(listed.slice(0, 3)).toEqual(["coxswain: best", "rehearsal: rehearsal", "rehearsal: rehearsal/friendly"]);
  expect(listed.join()).not.toContain("codex");
  expect(await openai.models.retrieve("rehearsal/slow")).toMatchObject({ id: "rehearsal/slow", object: "model" });
  await expect(openai.models.retrieve("nothing")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
});

test("Anthropic's client lists the same in its own form", async () => {
  const { url } = await serve(options);
  const anthropic = new Anthropic({ baseURL: url, apiKey: TOKEN });
  const listed: string[] = [];
  for await (const { id, type } of anthropic.models.list()) listed.push(`${type}: ${id}`);
  expect(listed.slice(0, 2)).toEqual(["model: best", "model: rehearsal"]);
  expect(await anthropic.models.retrieve("best")).toMatchObject({ id: "best", type: "model", display_name: "best" });
  await expect(anthropic.models.retrieve("nothing")).rejects.toMatchObject({
    status: 404,
    error: { type: "error", error: { type: "not_found_error" } },
  });
});

test("an alias is asked as its chain, and headers say who answered", async () => {
  const { ask } = await serve({
    ...options,
    aliases: { best: "rehearsal/crash,rehearsal/friendly" },
    policies: { retry: false },
  });
  const response = await ask("best");
  expect(response.status).toBe(200);
  expect(response.headers.get("x-coxswain-provider")).toBe("rehearsal");
  expect(response.headers.get("x-coxswain-attempts")).toBe("2");
});
