import { createFailure } from "../spec/failure/create-failure.ts";
import type { Failure } from "../spec/failure/failure.ts";
import type { Target } from "../spec/request.ts";
import type { AttemptGate } from "../spec/stream.ts";
import { gatewayDraining } from "./refusal.ts";
import type { RestingTargets } from "./resting-targets.ts";

/** Decides about the attempts of one request: a resting target is not asked, and a gateway that drains begins no other answer. */
export class RequestGate implements AttemptGate {
  private readonly resting: RestingTargets;
  private readonly draining: AbortSignal | undefined;
  private refusal: Failure | undefined;
  /** When the last attempt was let through. */
  private enteredAt: number | undefined;

  constructor(resting: RestingTargets, draining: AbortSignal | undefined) {
    this.resting = resting;
    this.draining = draining;
  }

  /** If no attempt was let through, the failure is the gateway's own reason: it drains, or the target rests. */
  told(failure: Failure): Failure {
    if (this.enteredAt !== undefined) return failure;
    if (failure.category === "cancelled" && this.isTurnedAway) return gatewayDraining();
    return failure.code === "cooling-down" ? (this.refusal ?? failure) : failure;
  }

  /** True if the gateway began to drain before a CLI was asked. */
  get isTurnedAway(): boolean {
    return this.enteredAt === undefined && this.draining?.aborted === true;
  }

  enter(target: Target): Failure | undefined {
    if (this.isTurnedAway) return createFailure("interrupted", "The gateway is closing.");
    this.refusal = this.resting.refusalOf(target, this);
    if (this.refusal !== undefined) return this.refusal;
    this.enteredAt = this.resting.now();
    return undefined;
  }

  leave(target: Target, failure: Failure | undefined): void {
    this.resting.note(target, failure, { by: this, enteredAt: this.enteredAt ?? 0 });
  }
}
