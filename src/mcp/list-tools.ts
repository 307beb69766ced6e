import type { HealthReport, ModelReport } from "../spec/health.ts";
import type { JsonObject, JsonValue } from "../spec/json.ts";
import { defined } from "../spec/json.ts";
import type { TargetChoice } from "../spec/request.ts";
import type { McpHost, McpTool } from "./mcp-host.ts";
import { inputOf, LIST_OUTPUT } from "./schemas.ts";
import { toFailureData, toJson } from "./to-answer.ts";

export function healthTool(host: McpHost): McpTool {
  return {
    name: "health",
    title: "Check the AI CLIs",
    description:
      "Says for each AI CLI whether it is installed and logged in, which version it has, and what would fix it. Makes no model request.",
    input: inputOf(["providers"]),
    output: LIST_OUTPUT,
    isReadOnly: true,
    call: async (args) => {
      const reports = await Promise.all(namesOf(host, args).map((choice) => host.client.check(choice)));
      const usable = reports.filter((report) => report.usable).map(({ provider }) => provider);
      const spentQuotas = toJson(host.client.spentQuotas());
      const text = reports.map(healthLine).join("\n");
      return { text, data: { usable, providers: reports.map(toHealthData), spentQuotas }, isError: false };
    },
  };
}

export function modelsTool(host: McpHost): McpTool {
  return {
    name: "models",
    title: "List the AI CLIs and their models",
    description: "Lists the AI CLIs, whether each is installed, and the models of each. Makes no model request.",
    input: inputOf(["providers"]),
    output: LIST_OUTPUT,
    isReadOnly: true,
    call: async (args) => {
      const reports = await Promise.all(namesOf(host, args).map((choice) => host.client.listModels(choice)));
      const providers = reports.map((report) => toModelData(report, host.client.locate(report.provider) !== undefined));
      const lines = providers.map(({ provider, installed, models }) => {
        return `${provider}${installed ? "" : " (not installed)"}: ${models.length === 0 ? "no model is known" : models.join(", ")}`;
      });
      return { text: lines.join("\n"), data: { providers }, isError: false };
    },
  };
}

function namesOf({ client }: McpHost, { providers }: JsonObject): readonly TargetChoice[] {
  const names = Array.isArray(providers) ? providers.map(String).filter((name) => name.trim() !== "") : [];
  return names.length > 0 ? [...new Set(names)] : client.providers.map(({ id }) => ({ provider: id }));
}

function healthLine({ provider, usable, version, login, failures }: HealthReport): string {
  const about = [
    usable ? "usable" : "not usable",
    ...(version === undefined ? [] : [`version ${version}`]),
    `login: ${login.state}`,
  ];
  const problems = failures.map(({ message, hint }) => ` ${message} ${hint}`);
  return `${provider}: ${about.join(", ")}.${problems.join("")}`;
}

function toHealthData(report: HealthReport): JsonValue {
  const { failures, ...rest } = report;
  return toJson({ ...rest, failures: failures.map(toFailureData) });
}

type ModelData = { readonly provider: string; readonly installed: boolean; readonly models: readonly string[] };

function toModelData({ provider, label, models, defaultModel, source }: ModelReport, installed: boolean): ModelData & JsonObject {
  return defined({ provider, label, installed, models, source, defaultModel });
}
