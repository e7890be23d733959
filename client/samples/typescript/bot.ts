// A bot that plays a whole match, with nothing of our library: it asks the server what is legal in
// each window, takes one order of each kind, stays near the middle of the map, and comes back after
// a lost line.
//
//   node dist/bot.js ws://127.0.0.1:8765/play --match ID
//   node dist/bot.js ws://127.0.0.1:8765/play --new shadow-of-ceres --against random
//
// At the end it prints one line of JSON: the result, and what happened on the way.

import { parseArgs } from "node:util";

import type { Frame, GiveOrders, LegalOrders, Thrust, View } from "../../../protocol/schema/messages.js";
import { Line, type Answer } from "./line.js";

type Order = NonNullable<GiveOrders["orders"]>[number];

/** What one of thrust in each direction adds to a vector. */
const STEPS = { N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1] } as const;

const told = { frames: 0, accepted: 0, refused: 0 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    match: { type: "string" },
    new: { type: "string" },
    against: { type: "string", default: "random" },
    clock: { type: "string", default: "arena" },
  },
});
const url = positionals[0];
if (url === undefined || (values.match === undefined) === (values.new === undefined)) {
  console.error("usage: node dist/bot.js URL (--match ID | --new SCENARIO [--against BOT] [--clock CLOCK])");
  process.exit(2);
}

const line = new Line(url);
await line.open();
const match = values.match ?? (await created(values.new as string));
const seated = taken(await line.ask({ t: "join", match }));
const others = seated.t === "seated" && values.new !== undefined ? seated.card.sides.length - 1 : 0;
for (let seat = 0; seat < others; seat++) taken(await line.ask({ t: "bot", match, name: values.against }));
taken(await line.ask({ t: "ready", match }));
line.sitIn(match);

let rev = 0;
for (;;) {
  const post = await line.next();
  if (post.t === "over") {
    console.log(JSON.stringify({ result: post.result, ...told, lost: line.lost }));
    break;
  }
  if (post.t === "frame") {
    told.frames += 1;
    await play(post);
  }
}
line.leave();

/** Answer a window, if it asks us. */
async function play(frame: Frame): Promise<void> {
  const view = frame.view as View; // Who has a seat is shown what its side knows.
  const { phase, slot, out } = view.stage;
  const isOurs = (slot ?? view.audience) === view.audience && !out?.includes(view.audience);
  if (phase === "over" || !isOurs) return;
  let orders = phase === "plot" && frame.turn === 1 ? deployed(view) : [];
  if (orders.length === 0) orders = chosen(await legal(), view);
  // What is refused is taken out; an empty set is always right.
  for (;;) {
    const answer = await line.ask({ t: "orders", match, window: frame.window, rev: ++rev, orders, lock: true });
    if (answer.t === "accepted") {
      told.accepted += 1;
      return;
    }
    if (answer.t !== "refused") throw new Error(`orders are answered by ${answer.t}`);
    if (answer.code === "window/closed" || answer.code === "match/over") return;
    told.refused += 1;
    const wrong = /^\$\.orders\[(\d+)\]/.exec(answer.at ?? "$");
    if (wrong === null || orders.length === 0) throw new Error(`${answer.code}: ${answer.text}`);
    orders = orders.filter((_, place) => place !== Number(wrong[1]));
  }
}

/** Ask what the open window takes; it costs nothing, and nobody else learns of it. */
async function legal(): Promise<Order[]> {
  const answer = await line.ask({ t: "ask", match, kind: "legal" });
  if (answer.t !== "answer") return [];
  return (answer.answer as LegalOrders).orders ?? [];
}

/** Take one order of each kind for each ship, and for each of its weapons and turrets. */
function chosen(orders: Order[], view: View): Order[] {
  const groups = new Map<string, Order[]>();
  for (const order of orders) {
    // A ship that has no power sees and does nothing; one that has its sensors out sees more.
    if (order.t === "power" || (order.t === "sensors" && !order.out)) continue;
    const part = order.t === "fire" ? order.weapon : order.t === "rotate" ? order.turret : "";
    const key = `${order.t} ${order.ship} ${part}`;
    groups.set(key, [...(groups.get(key) ?? []), order]);
  }
  return [...groups.values()].map((group) => best(group, view));
}

/** Thrust towards the middle of the map; of all else take any. */
function best(group: Order[], view: View): Order {
  const far = (order: Order) => (order.t === "thrust" ? squaresToMiddle(order, view) : Math.random());
  return group.reduce((one, other) => (far(other) < far(one) ? other : one));
}

/** Return how far from the middle, across and down, a ship will be two turns after a thrust. */
function squaresToMiddle(order: Thrust, { own, board }: View): number {
  const ship = own?.find(({ id }) => id === order.ship);
  if (ship === undefined) return Infinity;
  const middle = [(5 * (board.columns ?? 8)) / 2, (5 * (board.rows ?? 8)) / 2];
  const off = ([0, 1] as const).map((axis) => {
    const speed = order.to.reduce((sum, point) => sum + STEPS[point][axis], ship.vector[axis]);
    return Math.abs(ship.square[axis] + 2 * speed - (middle[axis] as number));
  });
  return Math.max(...off);
}

/** Put our ships side by side into the first box of our zone, where a scenario has one. */
function deployed(view: View): Order[] {
  const box = view.zone?.[0];
  if (box === undefined) return [];
  const [column, row] = [box.charCodeAt(0) - "A".charCodeAt(0), Number(box.slice(1)) - 1];
  return (view.own ?? [])
    .filter((ship) => (ship.kind ?? "starship") === "starship" && !ship.landed)
    .map((ship, place) => ({ t: "deploy", ship: ship.id, at: [5 * column + (place % 5), 5 * row + Math.floor(place / 5)] }));
}

async function created(scenario: string): Promise<string> {
  const answer = await line.ask({ t: "create", scenario, options: { clock: values.clock } });
  if (answer.t !== "created") throw new Error(JSON.stringify(answer));
  return answer.match;
}

function taken(answer: Answer): Answer {
  if (answer.t === "refused") throw new Error(`${answer.code}: ${answer.text}`);
  return answer;
}
