import { describe, expect, test } from "vitest";
import { ask, cox, temporaryFolder } from "../support/cox/start-cox.ts";

const TWO_LINES = /^✗ .+\n→ .+\n$/;

describe.concurrent("a failed run of cox ask", () => {
  test.each([
    { model: "quota", exit: 4, happened: "Credit balance is too low", todo: /add credit/ },
    { model: "not-logged-in", exit: 3, happened: "Not logged in · Please run /login", todo: /Log in/ },
    { model: "no-such-model", exit: 1, happened: "issue with the selected model (no-such-model)", todo: /Choose a model/ },
    { model: "freindly", exit: 1, happened: "(freindly)", todo: /Did you mean friendly\? Choose a model/ },
  ])("$model prints the message and the hint in two lines, and exits with $exit", async ({ model, exit, happened, todo }) => {
    const { stdout, stderr, exitCode } = await ask(["--model", model, "hi"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: exit });
    expect(stderr).toMatch(TWO_LINES);
    expect(stderr.split("\n")[0]).toContain(happened);
    expect(stderr.split("\n")[1]).toMatch(todo);
  });

  test("shows our retries, and those of a CLI that may use tools, before its rate limit", async () => {
    const theirs = String.raw`↻ The CLI retries in 300 ms \(1 of 1\): rate_limit 429\n`;
    const ours = String.raw`· rehearsal: .*429.* \(rate-limited\)\. Retry in [\d.]+ m?s, attempt [23] of 3\.\n`;
    const completion = await ask(["--model", "rate-limit", "hi"]);
    expect(completion.stderr).toMatch(new RegExp(`^(?:${ours}){2}✗ .*429.*\n→ Retry in a moment\\.\n$`));
    const agent = await ask(["--agent", "--model", "rate-limit", "hi"]);
    expect(agent.stderr).toMatch(new RegExp(`^${theirs}${ours}${theirs}✗ .*429.*\n→ Retry in a moment\\.\n$`));
    expect([completion.exitCode, agent.exitCode]).toEqual([5, 5]);
  });

  test("prints nothing of the half answer of a crash to a pipe, and says so", async () => {
    const { stdout, stderr, exitCode } = await ask(["--model", "crash", "hi"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
    expect(stderr).toMatch(/^! The text of the failed run was left out; .*--json.*\n✗ .+\n→ .+\n$/);
  });

  test("names --timeout and its default after a timeout", async () => {
    const { stdout, stderr, exitCode } = await ask(["--model", "silent", "--timeout", "0.4", "hi"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 5 });
    expect(stderr).toMatch(/^✗ .*400 ms.*\n→ Raise --timeout \(default: 600 s for each attempt, .*\n$/);
  });

  test("is printed in two lines when no CLI is installed, with a command that works without one", async () => {
    const { stdout, stderr, exitCode } = await cox(["ask", "hi"], { env: { PATH: "/nowhere" } });
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 7 });
    expect(stderr).toMatch(/^✗ No supported AI CLI .+claude.*\n→ Install .+--provider rehearsal, .+\n$/);
  });

  test("is printed in two lines when the named CLI is not installed", async () => {
    const { stderr, exitCode } = await cox(["ask", "--provider", "claude", "hi"], { env: { PATH: "/nowhere" } });
    expect(stderr).toMatch(TWO_LINES);
    expect(stderr).toContain("npm install -g @anthropic-ai/claude-code");
    expect(exitCode).toBe(7);
  });
});

describe.concurrent("a usage error of cox ask", () => {
  test.each([
    {
      what: "an unknown provider",
      args: ["--provider", "rehersal"],
      says: /no provider or model "rehersal"\.\n→ Did you mean rehearsal\? Choose one of: claude, /,
    },
    {
      what: "an unknown provider further down the chain",
      args: ["--provider", "rehearsal,codx"],
      says: /no provider or model "codx" \(in "rehearsal,codx"\)/,
    },
    {
      what: "an empty entry in the chain",
      args: ["--provider", "rehearsal,,claude"],
      says: /^✗ The name of a provider or model is empty \(in "rehearsal,,claude"\)\.\n/,
    },
    {
      what: "a blank model in the chain",
      args: ["--provider", "rehearsal/"],
      says: /^✗ The name "rehearsal\/" has no model after its slash\.\n→ Did you mean rehearsal\? /,
    },
    {
      what: "a blank provider in the chain",
      args: ["--provider", "claude,/tool"],
      says: /^✗ The name "\/tool" has no provider before its slash \(in "claude,\/tool"\)\.\n→ Choose one of: claude, /,
    },
    {
      what: "a model in two places",
      args: ["--provider", "rehearsal/tool", "--model", "slow"],
      says: /--model slow and --provider rehearsal\/tool contradict/,
    },
    {
      what: "a missing configuration",
      args: ["--config", "/no/such.json"],
      says: /\/no\/such\.json:1:1: there is no such file\n→ Check the file of --config, or leave the option out\.\n/,
    },
    { what: "both configurations", args: ["--config", "x.json", "--no-config"], says: /--config and --no-config contradict/ },
    { what: "a misspelt option", args: ["--provder", "x"], says: /--provder.*Did you mean --provider\?/s },
    {
      what: "a prompt that begins with a dash",
      args: ["-x means what?"],
      says: /^✗ Unknown option '-x means what\?'\n→ .*cox ask -- "-x …"\n$/,
    },
    {
      what: "a list as the prompt",
      args: ["- one\n- two"],
      says: /^✗ Unknown option '- one - two'\n→ .*cox ask -- "-x …"\n$/,
    },
    { what: "an option without its value", args: ["--model"], says: /--model <name>/, last: true },
    { what: "two outputs at once", args: ["--json", "--stream-json"], says: /--json and --stream-json contradict/ },
    { what: "a dry run as events", args: ["--stream-json", "--dry-run"], says: /--stream-json and --dry-run contradict/ },
    { what: "a result of a dry run", args: ["--json", "--dry-run"], says: /--json and --dry-run contradict/ },
    { what: "a directory without --agent", args: ["--cwd", "/"], says: /--cwd needs --agent/ },
    {
      what: "tools without --agent",
      args: ["--allow-tool", "Read", "--deny-tool", "Bash", "--add-dir", "/"],
      says: /--add-dir, --allow-tool, --deny-tool need --agent/,
    },
    { what: "an unknown permission mode", args: ["--agent", "--permission-mode", "yolo"], says: /yolo.*bypass/s },
    { what: "too many retries", args: ["--retries", "11"], says: /whole number from 0 to 10/ },
    { what: "half a retry", args: ["--retries", "1.5"], says: /whole number from 0 to 10/ },
    { what: "a wait below zero", args: ["--max-wait", "-1"], says: /seconds, 0 or more/ },
    { what: "a wait that is no number", args: ["--max-wait", ""], says: /seconds, 0 or more/ },
    { what: "a budget of nothing", args: ["--budget-usd", "0"], says: /US dollars above 0/ },
    { what: "a budget without end", args: ["--budget-usd", "Infinity"], says: /US dollars above 0/ },
    { what: "a timeout of zero", args: ["--timeout", "0"], says: /seconds above 0/ },
    { what: "a timeout that is no number", args: ["--timeout", "soon"], says: /seconds above 0/ },
    {
      what: "a schema that is not there",
      args: ["--schema", "/no/such/schema.json"],
      says: /\/no\/such\/schema\.json cannot be read/,
    },
  ])("is $what: two lines, exit code 2, nothing on stdout", async ({ args, says, last }) => {
    const provider = args[0] === "--provider" ? [] : ["--provider", "rehearsal"];
    const { stdout, stderr, exitCode } = await cox(["ask", ...provider, ...(last ? ["hi", ...args] : [...args, "hi"])]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toMatch(TWO_LINES);
    expect(stderr).toMatch(says);
  });

  test.each([
    { what: "no JSON", content: "{", says: /schema\.json:1:2: close brace expected/ },
    {
      what: "a mistake, whose place it names",
      content: '{\n  "type": "object",\n  "properties": { "age": { "type": "interger" } }\n}',
      says: /schema\.json:3:36: properties\.age\.type: "interger" is not one of .*integer/,
    },
    { what: "no object", content: "[]", says: /does not contain a JSON object/ },
  ])("is a schema file with $what", async ({ content, says }) => {
    using folder = temporaryFolder();
    const { stderr, exitCode } = await ask(["--schema", folder.write("schema.json", content), "hi"]);
    expect(stderr).toMatch(TWO_LINES);
    expect(stderr).toMatch(says);
    expect(exitCode).toBe(2);
  });
});
