import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMachine, parrot, parrotScript } from "./health-cli.ts";

describe("validateEnvironment", () => {
  test("a provider validates its environment without a login, a session or a request", async () => {
    const { client, install, home } = openMachine([parrot]);
    const command = install("parrot-cli", parrotScript("1.2.0", false));
    expect(await client.validateEnvironment("parrot", { cwd: home })).toEqual({
      provider: "parrot",
      label: "Parrot",
      usable: true,
      command,
      version: "1.2.0",
      failures: [],
      warnings: [],
    });
  });

  test("R144 R170 a CLI that is not on the PATH is reported with what to install", async () => {
    const { client } = openMachine([parrot]);
    expect(await client.validateEnvironment("parrot")).toMatchObject({
      usable: false,
      failures: [{ category: "not_found", code: "cli-missing", fixCommand: "npm install -g parrot-cli" }],
    });
  });

  test("R145 a missing helper program is reported with what and where", async () => {
    const { client, install } = openMachine([{ ...parrot, requires: { binaries: ["file-tools", "./helpers/more-tools"] } }]);
    install("parrot-cli", parrotScript("1.2.0", true));
    const { usable, failures } = await client.validateEnvironment("parrot");
    expect(usable).toBe(false);
    expect(failures.map(({ message }) => message)).toEqual([
      "Parrot needs the program file-tools, which was not found on PATH.",
      expect.stringMatching(/^Parrot needs the program \/.*\/bin\/helpers\/more-tools, which was not found at \//),
    ]);
    install("file-tools", "true");
    install("helpers/more-tools", "true");
    expect(await client.validateEnvironment("parrot")).toMatchObject({ usable: true });
  });

  test("R145 a missing file is reported with where it is to be: at home, or beside the program", async () => {
    const { client, install, write, home, bin } = openMachine([
      { ...parrot, requires: { files: ["~/.parrot/words", "seeds.txt"] } },
    ]);
    install("parrot-cli", parrotScript("1.2.0", true));
    const { failures } = await client.check("parrot");
    expect(failures.map(({ hint }) => hint)).toEqual([
      `Put the file at ${join(home, ".parrot/words")}.`,
      `Put the file at ${join(bin, "seeds.txt")}.`,
    ]);
    write(".parrot/words");
    install("seeds.txt", "");
    expect(await client.check("parrot")).toMatchObject({ usable: true });
  });

  test("a directory that cannot be worked in is reported", async () => {
    const { client, install, write, home } = openMachine([parrot]);
    install("parrot-cli", parrotScript("1.2.0", true));
    for (const cwd of [join(home, "nowhere"), write("file")]) {
      expect(await client.validateEnvironment("parrot", { cwd })).toMatchObject({
        usable: false,
        failures: [{ code: "cwd-unusable" }],
      });
    }
    mkdirSync(join(home, "work"));
    expect(await client.validateEnvironment("parrot", { cwd: join(home, "work") })).toMatchObject({ usable: true });
  });
});

describe("the version", () => {
  test.for([
    ["1.3.0", "cli-newer", "npm install -g parrot-cli@1.2.0"],
    ["0.9.9", "cli-older", "npm install -g parrot-cli@1.2.0"],
    ["tomorrow", "version-unknown", undefined],
  ])("%s is a warning, not a failure", async ([printed = "", code, fixCommand]) => {
    const { client, install } = openMachine([parrot]);
    install("parrot-cli", parrotScript(printed, true));
    const { usable, warnings } = await client.check("parrot");
    expect({ usable, warnings }).toMatchObject({ usable: true, warnings: [{ code }] });
    expect(warnings[0]?.fixCommand).toBe(fixCommand);
  });

  test("of two programs with one name the other one is told apart by what it prints", async () => {
    const [official, other] = [
      { ...parrot, id: "parrot", label: "Official Parrot", versionPattern: /^parrot \d/ },
      {
        ...parrot,
        id: "parrot-kit",
        label: "Parrot Kit",
        versionPattern: /^\d+\.\d+\.\d+$/,
        install: "npm install -g parrot-kit",
      },
    ];
    const { client, install } = openMachine([official, other]);
    const command = install("parrot-cli", parrotScript("parrot 1.2.0 (4220f3b224a6)", true));
    expect(await client.check("parrot")).toMatchObject({ usable: true, version: "1.2.0" });
    const { usable, login, failures } = await client.check("parrot-kit");
    expect({ usable, login: login.state }).toEqual({ usable: false, login: "unknown" });
    expect(failures).toMatchObject([
      {
        code: "cli-missing",
        message: `Parrot Kit was not found: ${command} is Official Parrot.`,
        hint: 'Use provider "parrot" for it, or install Parrot Kit and set its path.',
        fixCommand: "npm install -g parrot-kit",
      },
    ]);
  });

  test("checks run side by side: two that wait for each other both end", async () => {
    const { client, install } = openMachine([parrot, { ...parrot, id: "other", binary: { names: ["other-cli"] } }]);
    const waitFor = (mine: string, theirs: string): string =>
      `[ "$1" = --version ] || exit 0; touch "$(dirname "$0")/${mine}"; while [ ! -e "$(dirname "$0")/${theirs}" ]; do sleep 0.05; done; echo 1.2.0`;
    install("parrot-cli", waitFor("a", "b"));
    install("other-cli", waitFor("b", "a"));
    const reports = await Promise.all(["parrot", "other"].map((id) => client.check(id, { timeoutMs: 25_000 })));
    expect(reports.map(({ version }) => version)).toEqual(["1.2.0", "1.2.0"]);
  });

  test("version and login of one CLI are asked for side by side", async () => {
    const { client, install } = openMachine([parrot]);
    install(
      "parrot-cli",
      `d="$(dirname "$0")"; if [ "$1" = --version ]; then mine=v; theirs=l; else mine=l; theirs=v; fi
touch "$d/$mine"; while [ ! -e "$d/$theirs" ]; do sleep 0.05; done
[ "$1" = --version ] && echo 1.2.0 || echo '{ "loggedIn": true }'`,
    );
    expect(await client.check("parrot", { timeoutMs: 25_000 })).toMatchObject({ version: "1.2.0", login: { by: "command" } });
  });
});
