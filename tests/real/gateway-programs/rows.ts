import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProgramRow } from "./program-row.ts";

const KEY = "the-token-of-the-gateway";

/** The programs with settings as docs/gateway.md shows them. */
export const PROGRAM_ROWS: readonly ProgramRow[] = [
  {
    name: "OpenCode",
    folder: ".",
    command: "opencode",
    args: (prompt) => ["run", "--model", "cox/plain", prompt],
    prepare: ({ url, workspace }) => {
      const cox = {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${url}/v1`, apiKey: KEY },
        models: { plain: {} },
      };
      writeFileSync(join(workspace, "opencode.json"), JSON.stringify({ provider: { cox }, agent: { title: { disable: true } } }));
      return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" };
    },
    path: "/v1/chat/completions",
    steps: (workspace) => [
      { name: "write", args: { filePath: join(workspace, "written.txt"), content: "one\n" } },
      { name: "read", args: { filePath: join(workspace, "written.txt") } },
      { name: "read", args: { filePath: join(workspace, "missing.txt") } },
    ],
  },
  {
    name: "Qwen Code",
    folder: ".",
    command: "qwen",
    args: (prompt) => ["--yolo", "--prompt", prompt],
    prepare: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: "plain" }),
    path: "/v1/chat/completions",
    steps: (workspace) => [
      { name: "write_file", args: { file_path: join(workspace, "written.txt"), content: "one\n" } },
      { name: "read_file", args: { file_path: join(workspace, "written.txt") } },
      { name: "read_file", args: { file_path: join(workspace, "missing.txt") } },
    ],
  },
  {
    name: "Continue",
    folder: "programs",
    command: "cn",
    args: (prompt) => ["--config", "config.yaml", "--auto", "-p", prompt],
    prepare: ({ url, workspace }) => {
      const model = [
        "name: cox",
        "version: 1.0.0",
        "models:",
        "  - name: cox",
        "    provider: openai",
        "    model: plain",
        `    apiBase: ${url}/v1`,
        `    apiKey: ${KEY}`,
        "    roles: [chat]",
        "    capabilities: [tool_use]",
      ];
      writeFileSync(join(workspace, "config.yaml"), `${model.join("\n")}\n`);
      return { CONTINUE_TELEMETRY_ENABLED: "0" };
    },
    path: "/v1/chat/completions",
    steps: (workspace) => [
      { name: "Write", args: { filepath: join(workspace, "written.txt"), content: "one\n" } },
      { name: "Read", args: { filepath: join(workspace, "written.txt") } },
      { name: "Read", args: { filepath: join(workspace, "missing.txt") } },
    ],
  },
  {
    name: "pi",
    folder: "programs",
    command: "pi",
    args: (prompt) => ["--offline", "--no-session", "--model", "cox/plain", "-p", prompt],
    prepare: ({ url, home }) => {
      const cox = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: KEY, models: [{ id: "plain" }] };
      const folder = join(home, ".pi/agent");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "models.json"), JSON.stringify({ providers: { cox } }));
      return {};
    },
    path: "/v1/chat/completions",
    steps: (workspace) => [
      { name: "write", args: { path: join(workspace, "written.txt"), content: "one\n" } },
      { name: "read", args: { path: join(workspace, "written.txt") } },
      { name: "read", args: { path: join(workspace, "missing.txt") } },
    ],
  },
];
