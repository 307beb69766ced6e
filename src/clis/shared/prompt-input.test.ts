import { expect, it } from "vitest";
import { type PromptCommand, toPromptArgument, toPromptCommand } from "./prompt-input.ts";

/** The prompt that a CLI reads from a command: TOML decoded, with the argument inserted. */
function carriedBy(command: PromptCommand | undefined): string {
  const template: string = JSON.parse(/^prompt = (".*")\n$/s.exec(command?.file.content ?? "")?.[1] ?? "null");
  for (const mark of ["!{", "@{"]) expect(template).not.toContain(mark);
  const argument = /^\/coxswain-prompt ?(.*)$/.exec(command?.call ?? "")?.[1] ?? "";
  expect(argument.split(/\s+/).join(" ")).toBe(argument);
  return template.replaceAll("{{args}}", argument);
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
])("a command carries %j unchanged", (prompt) => {
  expect(carriedBy(toPromptCommand(prompt))).toBe(prompt);
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

it.each([
  "a !{x} b @{y}",
  "!@{x}",
  "see @!!{x} and {{args}}!{",
  "!{{args}}",
  "{{{args}} @{",
  " \n@a !{x $& $$ $' y} {{args}} @{z}\r\n  end\t",
])("the argument of a command carries %j with its two marks", (prompt) => {
  expect(carriedBy(toPromptArgument(prompt))).toBe(prompt);
});

it.each(["!{x}\n@{y}", "!{x}  @{y}", "!{x}\u00a0@{y}"])(
  "no argument carries %j, because it would lose some of the spaces",
  (prompt) => {
    expect(toPromptArgument(prompt)).toBeUndefined();
  },
);

it("a prompt without marks has no argument", () => {
  expect(toPromptArgument("hi")).toBeUndefined();
});
