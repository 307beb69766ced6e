// Reports its answer while a background task is open that never ends.
import { init, print, result } from "../claude-lines.mjs";
import { stayAlive } from "./stay-alive.mjs";

print(init());
print({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "a", description: "serve the page" }] });
print(result("Started."));
stayAlive();
