import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { builtinProviders } from "../../src/clis/index.ts";
import { validateRequest } from "../../src/request/validate-request.ts";
import type { PromptRequest } from "../../src/spec/request.ts";
import { PERMISSION_ROWS } from "../support/real-clis/permission-table.ts";
import { HELPER_PATTERN, SHELL_TRICKS } from "../support/real-clis/shell-tricks.ts";

type PageRow = { readonly pattern: string; readonly denials: string; readonly addDirs: string };

const TEXT = readFileSync(new URL("../../docs/permissions.md", import.meta.url), "utf8");
const PAGE: ReadonlyMap<string, PageRow> = new Map(
  TEXT.split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .flatMap(([, id = "", pattern = "", , denials = "", addDirs = ""]) =>
      /^`[a-z-]+`$/.test(id) && addDirs !== "" ? [[id.slice(1, -1), { pattern, denials, addDirs }] as const] : [],
    ),
);

/** A request of an agent with a login, so that nothing else is refused. */
const REQUEST: PromptRequest = { prompt: "hi", mode: "agent", cwd: tmpdir() };
const ENV = { ZAI_API_KEY: "key" };

it("the page about permissions has a row for each provider and the number of the tricks", () => {
  expect(TEXT).toContain(` ${Object.keys(SHELL_TRICKS).length} commands that get past`);
  expect([...PAGE.keys()].toSorted()).toEqual(builtinProviders.map(({ id }) => id).toSorted());
});

it.each(builtinProviders)("the page says what $id refuses", (provider) => {
  const permissions = { mode: "dont-ask", tools: ["Bash"], allow: [HELPER_PATTERN] } as const;
  const isRefused = (request: Partial<PromptRequest>): boolean =>
    validateRequest(provider, { provider: provider.id }, { ...REQUEST, ...request }, ENV)?.code === "option-unsupported";
  expect(PAGE.get(provider.id)).toEqual({
    pattern: isRefused({ permissions }) ? "refused" : "holds",
    denials: isRefused({ onPermissionDenied: "error" }) ? expect.stringMatching(/^(?:some|none)$/) : "all",
    addDirs: isRefused({ addDirs: [tmpdir()] }) ? "refused" : "readable",
  });
});

it.each(Object.values(PERMISSION_ROWS))("the page says what the real suite proves of $name", ({ name, ...row }) => {
  expect(PAGE.get(name)).toMatchObject({ pattern: row.commandPatterns, denials: row.denials });
});
