import { describeBill } from "./describe-bill.ts";

describeBill(10);
