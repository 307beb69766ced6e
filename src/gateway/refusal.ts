import type { Unasked } from "../doors/retry-after.ts";
import { createFailure, type Failure } from "../spec/failure/failure.ts";

/** The failure of a request that the gateway refuses with this status before any CLI is asked. */
export function refusal(status: number, message: string, hint: string): Failure {
  const code = status === 401 ? "not-logged-in" : status === 403 ? "access-denied" : "bad-request";
  return createFailure(code, message, { replyStatus: status, hint });
}

/** The failure of a request whose answer a closing gateway has cancelled. */
export function gatewayClosing(): Failure {
  return createFailure("overloaded", "The gateway is closing.", { hint: "Retry when it has started again." });
}

/** The failure of a request that a closing gateway does not take, or that still waits for a place. */
export function gatewayDraining(): Unasked {
  return { ...gatewayClosing(), isUnasked: true };
}
