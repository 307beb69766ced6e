import { expect, it } from "vitest";
import { toPromptCommand, toPromptSkill } from "./prompt-command.ts";

/** The prompt that a CLI makes of a command: TOML decoded, its argument put in. */
function carriedBy(prompt: string): string {
  const command = toPromptCommand(prompt);
  const template: string = JSON.parse(/^prompt = (".*")\n$/s.exec(command?.file.content ?? "")?.[1] ?? "null");
  for (const mark of ["!{", "@{"]) expect(template).not.toContain(mark);
  const argument = /^\/coxswain-prompt ?(.*)$/.exec(command?.call ?? "")?.[1] ?? "";
  return template.replaceAll("{{args}}", () => argument);
}

it.each([
  "hi",
  "/help me @file bob@example.com",
  '  "quoted" \\ back\n\tlines\r\n  ',
  "all \u0001\u001f\u007f\u0080 controls \u2028 \ufeff \u{1f469}",
  "vec!{1} and !!{2}",
  "@{ Name = 1 } and foo@{x} and @@{y}",
  "mustache {{args}} and {{{args}}}",
  "$& $' $` $$ {{args}}",
])("a command carries %j as it is", (prompt) => {
  expect(carriedBy(prompt)).toBe(prompt);
});

it("a prompt without marks needs no argument", () => {
  expect(toPromptCommand("hi")).toEqual({
    file: { path: "commands/coxswain-prompt.toml", content: 'prompt = "hi"\n' },
    call: "/coxswain-prompt",
  });
});

it.each(["a !{x} b @{y}", "!@{x}", "@!{x}", "!{x} {{args}}", "@{x} {{args}}"])(
  "no command carries %j with its two marks",
  (prompt) => {
    expect(toPromptCommand(prompt)).toBeUndefined();
  },
);

it("a skill carries any marks", () => {
  expect(toPromptSkill("a !{x} b @{y}\n---\n{{args}}")).toEqual({
    file: {
      path: "skills/coxswain-prompt/SKILL.md",
      content: "---\nname: coxswain-prompt\ndescription: A prompt.\n---\na !{x} b @{y}\n---\n{{args}}",
    },
    call: "/coxswain-prompt",
  });
});

it.each([" x", "x\n", "a\r\nb", "\ufeffx"])("no skill carries %j, of which it would lose something", (prompt) => {
  expect(toPromptSkill(prompt)).toBeUndefined();
});
