import { describeTenSteps } from "../matrix/describe-ten-steps.ts";

describeTenSteps("claude");
