import { describe, expect, it } from "vitest";
import { isSecretName, removeValues, secretValues } from "./secret-values.ts";

it.each([
  ...[
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY_2",
    "GH_TOKEN",
    "TOKEN_OF_ACME",
    "DB_PASSWORD",
    "SECRET_KEY_BASE",
    "MY_PAT",
    "SMTP_PASS",
  ],
  ...["apiKey", "x-api-key", "Authorization", "client_secret", "refreshToken", "SIGNING_KEY", "PGPASSWORD_PASSWD", "set-cookie"],
])("%s is the name of a secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});

it.each([
  ...["PATH", "PWD", "OLDPWD", "HOME", "KEY", "LANG", "SSH_AUTH_SOCK", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "GROK_MAX_TOKENS"],
  ...[
    "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "PASSWORD_STORE_DIR",
    "max_tokens",
    "keyboard",
    "",
  ],
])("%j is not", (name) => {
  expect(isSecretName(name)).toBe(false);
});

describe("the secrets of an environment", () => {
  it("are those with such a name, those that are known, and those in JSON; the longest first", () => {
    const config = JSON.stringify({ provider: { acme: { options: { apiKey: "inline-key", baseURL: "https://acme.example" } } } });
    const variables = { ACME_TOKEN: "one two", MINE: "known value", CONFIG: config, PATH: "/usr/bin", NONE: undefined };
    expect(secretValues(variables, ["MINE"])).toEqual(["known value", "inline-key", "one two"]);
  });

  it("are no short values, no paths of credential files, and no placeholders", () => {
    const variables = { A_TOKEN: "short", GOOGLE_APPLICATION_CREDENTIALS: "/home/me/key.json", B_TOKEN: "\0env:A_TOKEN\0" };
    expect(secretValues(variables)).toEqual([]);
  });

  it("contain the token of a header and each long line of a value", () => {
    expect(secretValues({ AUTHORIZATION: "Bearer abcdef" })).toEqual(["abcdef"]);
    const lines = ["X-One: first-of-the-headers", "X-Two: 2"];
    expect(secretValues({ HEADERS: lines.join("\n") }, ["HEADERS"])).toEqual([
      lines.join("\n"),
      lines[0],
      "first-of-the-headers",
    ]);
  });
});

describe("a value in a text", () => {
  const value = 'plain "words"\nof a pass$phrase';

  it("is removed as it is, with other white space, and with the escapes of JSON, URLs and HTML", () => {
    const forms = [value, value.replace("\n", " "), JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
    const path = "of/a?pass&phrase";
    const inPaths = [encodeURI(path), "of%2fa%3fpass%26phrase", path.replace("/", "\\/"), path.replace("&", "&amp;")];
    for (const form of inPaths) expect(removeValues(`before ${form} after`, [path])).toBe("before [redacted] after");
    for (const form of forms) expect(removeValues(`before ${form} after`, [value])).toBe("before [redacted] after");
  });

  it("is removed where a limit has cut it", () => {
    expect(removeValues(`see ${value.slice(0, 12)}`, [value])).toBe("see [redacted]");
    expect(removeValues(`see ${value.slice(0, 12)}…`, [value])).toBe("see [redacted]…");
    expect(removeValues(`${value.slice(-12)} is wrong`, [value])).toBe("[redacted] is wrong");
  });

  it("is removed each time, the longer of two values first", () => {
    expect(removeValues("abcdef-1 abcdef abcdef-1", ["abcdef", "abcdef-1"])).toBe("[redacted] [redacted] [redacted]");
  });

  it("is not found in other words", () => {
    expect(removeValues("nothing of the kind", [value, "unkind"])).toBe("nothing of the kind");
  });
});
