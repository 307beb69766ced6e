import { describe } from "vitest";
import { describeParked, PARKED_ROWS } from "./matrix/describe-parked.ts";

describe.each(PARKED_ROWS)("parked calls of real $name by the bridge", describeParked);
