import type { JsonObject } from "../../spec/json.ts";
import { numberOf, objectOf, stringOf } from "../kit/json-access.ts";
import type { RpcError } from "./acp-cli.ts";

/** The error of an answer, or undefined if it has none. */
export function readRpcError(message: JsonObject): RpcError | undefined {
  const error = objectOf(message["error"]);
  if (error === undefined) return undefined;
  const data = objectOf(error["data"]);
  const details = stringOf(error["data"]) ?? stringOf(data?.["details"]) ?? stringOf(data?.["message"]);
  return {
    code: numberOf(error["code"]) ?? 0,
    message: stringOf(error["message"]) ?? "The CLI reported an error.",
    ...(details !== undefined && { details }),
    event: error,
  };
}
