// Made of the types of the protocol by `make schema`: change nothing here.

/** Everything a client may say. */
export type ClientMessage = Hello | Forget | Renew | SetWebhook | ListMatches | Info | Create | Join | Reveal | AddBot | AskLadder | QuickMatch | Unquick | Watch | GrantFeed | RevokeFeed | GiveOrders | Ask | TakeLesson | Resume | FetchRecord | Ready | Resign | OfferDraw | AskPause | Rematch | Chat | Mute | Report | Leave | Ping;

/** Everything the server may say. In the compact form a frame may come as a Change. */
export type ServerMessage = Welcome | Accepted | Refused | Matches | MatchInfo | Ladder | Queued | Created | Seated | Watching | Answer | Lessons | OpenedLesson | LessonHint | JudgedLesson | Resumed | Piece | Pong | Frame | News | Over | Bye | Change;

/** The command is taken and, if it belongs to a match, on disk. */
export interface Accepted {
  t: "accepted";
  id: number;
  window?: string | null;
  rev?: number | null;
}

/** Seat a bot of the server's list. */
export interface AddBot {
  t: "bot";
  match: string;
  name: string;
  side?: string | null;
  id: number;
}

/** An agent of the truth, for `omni` alone. */
export interface AgentPieceView {
  side: string;
  id: string;
  name: string;
  site?: Site | null;
  aboard?: string | null;
  stacked?: string | null;
  detected?: boolean;
  wounds?: number;
  fate?: Fate;
}

/** Which own agents and ships will be detected once this step is made, and which newly so. */
export interface AgentPreview {
  t: "agents_preview";
  ship: string;
  detected?: string[];
  anew?: string[];
}

/** An own agent: ratings, place, company, and whether it is detected. `stacked` is the own ground unit in whose stack it is; `captor` the side that holds it. */
export interface AgentView {
  id: string;
  name: string;
  combat: number;
  endurance: number;
  intelligence: number;
  leadership: number;
  npc?: boolean;
  site?: Site | null;
  aboard?: string | null;
  stacked?: string | null;
  group?: number | null;
  detected?: boolean;
  wounds?: number;
  captor?: string | null;
  stance?: StanceView;
  fate?: Fate;
}

/** Send a volley in space to another square. */
export interface Aim {
  t: "aim";
  at: Square;
  ship: string;
}

/** Agents of a side are near an environs or, without one, in the orbit of a planet. `over`: they are so no longer. */
export interface AlertSeen {
  t: "alert";
  side: string;
  planet: string;
  environs?: number | null;
  over?: boolean;
}

/** Agents of a side are near an environs or, without one, in the orbit of a planet. */
export interface AlertView {
  side: string;
  planet: string;
  environs?: number | null;
}

/** The answer to `ask`: for which window it holds, and what it cost of the seat's points. That to `lesson` with `ask` is one too; its `match` is that of the lesson's frame. */
export interface Answer {
  t: "answer";
  id: number;
  match: string;
  answer: LegalOrders | ScanPreview | ShotOdds | GroundOdds | BombardOdds | SenseOdds | ListenOdds | SweepOdds | SearchOdds | MissionOdds | AgentPreview | Review | Sheet | Card;
  window?: string | null;
  cost?: number;
}

/** The scanner's public answers about a declared scan. `glare`: the scan touches the sunglare of its ship. `from_well`: its ship stands in some gravity well. `touches_well`: the scan covers a square of some well or body. `blocked`: the hidden sectors that the scan covers in part, in the order of the planets, of the compass, near before far. */
export interface Answers {
  glare: boolean;
  from_well: boolean;
  touches_well: boolean;
  blocked?: Blocked[];
}

/** An area beyond a base in which a piece may stand; the first four are the standard arcs. */
export type Arc = "bullseye" | "front" | "full_front" | "full_rear" | "left" | "rear" | "right";

/** Cells on which own ground units may be stationed: west, south, east, north, all within. */
export interface AreaView {
  site: Site;
  cells: [number, number, number, number];
}

/** The kind of a ground unit's weapon: what it needs to fire and what its fire gives away. The `sds` kinds are the defences against ships in the order capital, sub-capital, missile. */
export type Arm = "anti_mech" | "direct" | "indirect" | "physical" | "sds_c" | "sds_cm" | "sds_sc";

/** A weapon of an own ground unit with its damage at short, medium, long, extreme range. */
export interface ArmView {
  id: string;
  kind: Arm;
  damage: [number, number, number, number];
}

/** Ask something that the caller's own view answers; no other seat learns of it. `orders` are those of a `review`, which is about nothing else, or those that stand already when a `sheet` lists what a piece may do. */
export interface Ask {
  t: "ask";
  match: string;
  kind: Question;
  about?: string | Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search | null;
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  id: number;
}

/** Ask for the ladder of a family: how strong those are who have played rated matches of it. Without a `family` it is the first one of `ladder.families`. At most so many lines are listed, from the rank behind `after` on. */
export interface AskLadder {
  t: "ladder";
  family?: string | null;
  after?: number;
  most?: number;
  id: number;
}

/** Ask for a pause, which needs every seat that plays on; `on` false ends it. */
export interface AskPause {
  t: "pause";
  match: string;
  on?: boolean;
  id: number;
}

/** An asteroid: its name and its square. */
export interface Asteroid {
  name: string;
  at: Square;
}

/** How big a piece's base is; decides the edge and the opening of its arcs. */
export type BaseSize = "large" | "medium" | "small";

/** Capital fire came down on a surface map; who fired is not known. */
export interface BlastSeen {
  t: "blast";
  site: Site;
  point: [number, number];
}

/** One part of space that a planet hides from a scanner: a near or a far sector of it. */
export interface Blocked {
  planet: string;
  sector: Compass;
  near: boolean;
}

/** The public map: its size in boxes, the sun's strength and the bodies on it. */
export interface Board {
  columns?: number;
  rows?: number;
  sunfactor?: number;
  planets?: Planet[];
  asteroids?: Asteroid[];
}

/** Fire a capital weapon at a point of a surface map: the middle of a cell, seen or not. A ship in the planet's well does it from above; a landed ship and a ground unit send missiles, which come down in a later turn. */
export interface Bombard {
  t: "bombard";
  weapon: string;
  at: Site;
  cell: Cell;
  ship: string;
}

/** What fire at a point needs on two dice, its chance in hundredths, its damage on the point. `guided_hundredths` is the chance if an own beam is on the point. A miss comes down somewhere else. A missile over the ground `lands` in a later turn. */
export interface BombardOdds {
  t: "bombard_odds";
  ship: string;
  weapon: string;
  at: Site;
  cell: Cell;
  needed: number;
  hundredths: number;
  guided_hundredths: number;
  damage: number;
  lands?: number | null;
}

/** Fire of a weapon at the points of one map, with the figures of `bombard_odds`. They hold for all of the map, with `cells` for these alone. */
export interface BombardReach {
  weapon: string;
  at: Site;
  cells?: Cell[];
  needed: number;
  hundredths: number;
  guided_hundredths: number;
  damage: number;
  lands?: number | null;
}

/** Where own fire at a point came down, and the damage to the held tokens `harmed`. The fire is lost without a `point`. Its effect on others is not reported. */
export interface BombardResult {
  t: "bombardment";
  ship: string;
  weapon: string;
  site: Site;
  dice: number[];
  point?: [number, number] | null;
  harmed?: string[];
  damage?: number[];
}

/** How a ground unit or landed ship is built, where that decides how high it stands. */
export type Build = "aerodyne" | "battle_armour" | "infantry" | "large_vehicle" | "mech" | "protomech" | "remote" | "spheroid" | "superheavy" | "vehicle" | "very_large";

/** The last message of a connection; `retry_ms`: come back after a random time up to it. */
export interface Bye {
  t: "bye";
  code: Code;
  text: string;
  retry_ms?: number | null;
}

/** What is known of one thing, and by which rule, a line each. */
export interface Card {
  t: "card";
  title: string;
  lines: string[];
}

/** Why an agent or an agent spaceship is detected. */
export type Cause = "company" | "mission" | "return" | "shuttle" | "tracked" | "troops";

/** A cell of a surface map, by column from the west and row from the south, from 0. */
export type Cell = [number, number];

/** Frame `seq` of a feed as its difference from frame `on`: `edit` makes it of that one. The number itself is no part of the edit. `pad` fills the message up. */
export interface Change {
  t: "change";
  match: string;
  feed: string;
  seq: number;
  on: number;
  edit: { [key: string]: unknown };
  pad?: string;
}

/** Say something to all in the match. */
export interface Chat {
  t: "chat";
  match: string;
  text: string;
  id: number;
}

/** One of the own classes: the figures that do not change in play. `family` is the type as which others identify it. */
export interface ClassCard {
  name: string;
  size: string;
  hull: number;
  thrust: number;
  points: number;
  weapons: WeaponClass[];
  family?: string;
  specials?: Special[];
}

/** Cloak the ship or show it again, from the start of this turn's movement on. */
export interface Cloak {
  t: "cloak";
  on: boolean;
  ship: string;
}

/** The public facts of cloak hunting: the options in force, and the last jammed turn. `cloaks` says that some class of the scenario has a cloak. */
export interface CloakRules {
  cloaks?: boolean;
  reveals?: PassiveReveals;
  mode?: TrackerMode;
  six?: SweepSix;
  noise?: NoiseBlinds;
  variant?: CloakVariant;
  jammed?: number;
}

/** What active sweeps give the cloaked side: fire at the sweepers, or jammed space. */
export type CloakVariant = "jam" | "return_fire";

/** A cloaked ship was found: `fix` is detected, or solution. */
export interface CloakedFound {
  t: "found";
  handle: string;
  label: string;
  square: Square;
  fix: Fix;
}

/** The codes, each `area/reason`. */
export type Code = "address/bots" | "address/matches" | "address/quick" | "ask/about" | "ask/many" | "bot/many" | "bot/unknown" | "chat/muted" | "feed/closed" | "feed/seat" | "feed/unknown" | "grant/many" | "grant/organiser" | "hello/again" | "hello/token" | "hello/version" | "ladder/family" | "lesson/unknown" | "list/after" | "match/deep" | "match/many" | "match/not_started" | "match/over" | "match/rules" | "match/started" | "match/turn" | "match/unknown" | "message/busy" | "message/early" | "message/malformed" | "message/stale" | "message/too_long" | "name/barred" | "name/reserved" | "name/scripts" | "name/taken" | "name/unknown" | "operator/banned" | "operator/kicked" | "option/unknown" | "option/value" | "order/arc" | "order/body" | "order/cell" | "order/cloak" | "order/defence" | "order/ecm" | "order/flying" | "order/group" | "order/handle" | "order/landed" | "order/landing" | "order/launch" | "order/line_of_sight" | "order/load" | "order/nova" | "order/path" | "order/piece" | "order/place" | "order/power" | "order/probe" | "order/range" | "order/relation" | "order/scans" | "order/search" | "order/sensors" | "order/ship" | "order/sight" | "order/standing" | "order/state" | "order/step" | "order/system" | "order/thrust" | "order/turn" | "order/turret" | "order/twice" | "order/unit" | "order/weapon" | "order/window" | "pause/spent" | "quick/barred" | "quick/family" | "quick/many" | "rated/bot" | "rated/bots" | "rated/terms" | "record/sealed" | "report/many" | "report/side" | "rev/old" | "scenario/unknown" | "seat/barred" | "seat/many" | "seat/none" | "seat/one" | "seat/pledge" | "seat/taken" | "seat/yours" | "server/closing" | "server/fault" | "server/full" | "server/journal" | "server/spectators" | "text/unfit" | "ticket/bad" | "webhook/closed" | "webhook/url" | "window/closed" | "window/others";

/** The eight compass points, for facings, planet sectors and edges; clockwise from north. */
export type Compass = "E" | "N" | "NE" | "NW" | "S" | "SE" | "SW" | "W";

/** A piece that was held has cloaked; only the memory is left. */
export interface ContactCloaked {
  t: "cloaked";
  label: string;
}

/** A held or attacked piece is destroyed. */
export interface ContactDestroyed {
  t: "destroyed";
  label: string;
}

/** A held piece is identified: its side and type are known while the hold lasts. */
export interface ContactIdentified {
  t: "identified";
  handle: string;
  label: string;
  side: string;
  type: string;
}

/** A tracked piece landed. */
export interface ContactLanded {
  t: "landed";
  label: string;
  body: string;
  sector: Compass;
}

/** A tracked piece left the map. */
export interface ContactLeft {
  t: "left";
  label: string;
}

/** A foreign piece was seen where it is, by the signatures named. */
export interface ContactSeen {
  t: "contact";
  handle: string;
  label: string;
  square: Square;
  signatures: string[];
}

/** A foreign piece as the viewer holds or remembers it. `turn` says as of when square and the rest are true. A memory marker has no handle, unless it is that of a cloaked ship that the viewer still hunts, which also has trackers. Fields the viewer has not learned are absent: side and type until it is identified, the dossier until a data scan. `alert`: agents are near a tracked ship. */
export interface ContactView {
  label: string;
  fix: Fix;
  square: Square;
  turn: number;
  handle?: string | null;
  signatures?: string[];
  signal?: number | null;
  vector?: Vector | null;
  facing?: Compass | null;
  size?: Echo | null;
  side?: string | null;
  type?: string | null;
  dossier?: Dossier | null;
  landed?: Landing | null;
  alert?: boolean;
  trackers?: TrackersView | null;
  fate?: Fate;
}

/** One end of a ship's move: the orders that lead there, and what it gives off there. `thrust` is what the orders use, steps of turning among it. `fate` is that of a ship whose move ends off the map or in a body. What it gives off is not known of ships that land or lift off; whom it may shadow is left out of account. `fire` is the mean damage (x 100) of all its weapons on each piece that its side holds, if that only drifts; none is left out. */
export interface CourseEnd {
  to: Square;
  facing: Compass;
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  thrust?: number;
  signatures?: { [key: string]: number };
  fire?: { [key: string]: number };
  fate?: Fate;
}

/** Open a lobby match on a scenario, or `from` a turn of a match that is over. With `from` the scenario is that of the match, whether it is named or not. A `rated` match counts for the ratings of those who sit in it. */
export interface Create {
  t: "create";
  scenario?: string;
  from?: From | null;
  options?: { [key: string]: string | number | boolean };
  title?: string;
  private?: boolean;
  rated?: boolean;
  id: number;
}

/** The answer to `create`; a private match is joined by its code. */
export interface Created {
  t: "created";
  id: number;
  match: string;
  code?: string | null;
}

/** Skills aboard: pilot 0 to 2, operator and commander 0 to 3, gunnery. */
export interface Crew {
  pilot?: number;
  operator?: number;
  commander?: number;
  gunnery?: number;
}

/** The answer to an own request for data; only a full one comes with a dossier. */
export interface DataScanned {
  t: "data_scan";
  ship: string;
  at: string;
  outcome: Outcome;
  dossier?: Dossier | null;
}

/** What a ship's point defence does in this turn. */
export type DefencePolicy = "all" | "hold";

/** Say what the ship's point defence does this turn; without a word it does all it can. */
export interface Defend {
  t: "defend";
  policy: DefencePolicy;
  ship: string;
}

/** Put an own ship on a square of the set-up zone, before anything moves in turn 1. `cloaked` says how it starts; without it, as the scenario has it. */
export interface Deploy {
  t: "deploy";
  at: Square;
  vector?: Vector;
  facing?: Compass;
  landed?: Landing | null;
  cloaked?: boolean | null;
  ship: string;
}

/** What a data scan found of a foreign piece, as of `turn`; it does not change by itself. `variant` is its class, `move` the thrust its drive gives or the inches that it walks, `modes` how it moves, `heat` the weapons it fired in the ENGAGE before, and `ecm` whether its jammer works, if it has one. */
export interface Dossier {
  turn: number;
  variant: string;
  damage?: number;
  heat?: number;
  move?: number;
  modes?: string[];
  ecm?: boolean | null;
}

/** How a ship makes thrust; a fusion plume is bright. */
export type Drive = "fusion" | "impulse";

/** The size class that a track shows, from small to large; fighters echo like missiles. */
export type Echo = "large" | "medium" | "missile" | "small";

/** Why a match ended. */
export type Ending = "adjourned" | "draw" | "forfeit" | "last_side" | "no_game" | "occupied" | "piece_lost" | "resigned" | "turns";

/** A landing place on a planet: its number, sector, size number, air, and its surface map. `width` and `height` of the map are in inches. `terrain` has a letter for each cell, row after row from the north, each from the west; without any the whole map is clear. `lit` are the blocks of cells that lamps light when it is not day. */
export interface Environs {
  number: number;
  sector: Compass;
  size?: number;
  pressure?: Pressure;
  weather?: Weather;
  width?: number;
  height?: number;
  terrain?: string[];
  lit?: [number, number, number, number][];
}

/** That an enemy side holds an own ship as a contact or as a track. */
export interface Exposure {
  side: string;
  fix: Fix;
}

/** The fate of a piece. */
export type Fate = "destroyed" | "escaped" | "in_play";

/** Fetch the record file from byte `from_byte` on: whole after the end, else own frames. A private match takes its `code` as well. */
export interface FetchRecord {
  t: "record";
  match: string;
  from_byte?: number;
  code?: string | null;
  id: number;
}

/** How a fight after a search ended. */
export type FightOutcome = "attackers_gone" | "both_gone" | "broken_off" | "defenders_gone" | "time";

/** What a group does when it is found: a standing order. */
export type FightPolicy = "fight" | "flee" | "screen";

/** A foreign fighter flies over a surface map that is seen: a contact, and what it is. */
export interface FighterSeen {
  t: "fighter";
  handle: string;
  label: string;
  square: Square;
  side: string;
  type: string;
}

/** Fire one weapon at a piece that is held well enough; a volley attacks like this too. A nova gun names no target, it fires along the facing. A needle beam may name a system. A ground unit attacks a token of its map, with a battery what is held in space. Its designator, the weapon `TAG` or `LTAG`, is put on a `point`: the middle of a cell of its map. */
export interface Fire {
  t: "fire";
  weapon: string;
  at?: string | null;
  system?: SystemAim | null;
  point?: Cell | null;
  ship: string;
}

/** How well a foreign piece is placed: the rungs of the ladder, best first. Solution and detected are those of a cloaked ship, for the turn in which it was found. */
export type Fix = "coasting" | "contact" | "detected" | "memory" | "solution" | "tracked";

/** Delete the caller's name and token; the matches keep "someone". */
export interface Forget {
  t: "forget";
  id: number;
}

/** A foreign agent as it was found: what is needed to fight it. */
export interface FoundAgentView {
  name: string;
  combat: number;
  endurance: number;
}

/** Agents that a search found, as they were in `turn`; where they are now is not known. */
export interface FoundView {
  side: string;
  site: Site;
  turn: number;
  agents?: FoundAgentView[];
}

/** The whole view after a window has closed; it announces the window named. `closes_ms` is when it closes for the receiver, counted from the frame's own release, and `bank_ms` what the receiver has in the bank. `latest_ms` is when it closes for all seats, at the latest; `banks` are those of all seats at the end of the last turn, rounded up to 5 s. With a clock that has no banks both are absent. `pad` fills the message up. */
export interface Frame {
  t: "frame";
  match: string;
  seq: number;
  turn: number;
  window: string;
  closes_ms: number;
  bank_ms: number;
  view: View | TruthView;
  notices?: (InitiativeDrawn | ScanAnswered | RadarSeen | ShotSeen | NovaSeen | SideOut | PieceLost | Occupation | SweepSeen | JamSet | JamOver | ScanResult | ContactSeen | TrackGained | TrackCoasts | TrackLost | ContactCloaked | CloakedFound | TrailCold | ContactLeft | ContactLanded | ContactDestroyed | ShooterKnown | ContactIdentified | DataScanned | ProbeSensed | ShotResult | OwnInScan | OwnTracked | OwnTrackLost | OwnProbed | OwnFound | OwnHit | OwnLaunched | OwnDrained | OwnSystemLost | OwnDestroyed | OwnEscaped | OwnCollected | TruthCollected | TruthHeld | TruthShot | TruthGone | MapSeen | MapLost | TokenSeen | TokenIdentified | TokenGone | GroundShotResult | ImpactSeen | OwnHalted | OwnEmerged | OwnIdentified | OwnOverflown | OwnUncovered | OwnGroundHit | TruthToken | AlertSeen | ShipAlertSeen | SearchResult | StrikeResult | SpyResult | OwnDetected | OwnShaken | OwnSearched | OwnStruck | OwnKilled | OwnStepFailed | OwnStranded | MissionResult | OwnSabotaged | OwnFreed | ItemMoved | TruthAgents | TruthIdentified | TruthProbed | FighterSeen | BombardResult | BlastSeen | OwnShelled | OwnBlasted | OwnDesignated | OwnMissileSent | OwnNoticed | TruthDesignated | TruthMissile | TruthBlast | TruthCloak | TruthHunt)[];
  latest_ms?: number | null;
  banks?: { [key: string]: number };
  pad?: string;
}

/** A turn of a match that is over, from whose beginning it is played on. A private match takes its `code` as well. */
export interface From {
  match: string;
  turn: number;
  code?: string | null;
}

/** Give the orders of a window; a higher `rev` replaces them, `lock` ends the thinking. */
export interface GiveOrders {
  t: "orders";
  match: string;
  window: string;
  rev: number;
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  lock?: boolean;
  id: number;
}

/** Go aboard an own ship, or into the stack of an own ground unit; `into` is its own id. A ship is landed in the same environs, or it is a starship over the planet with a shuttle. */
export interface GoAboard {
  t: "go_aboard";
  into: string;
  ship: string;
}

/** Let an account watch a feed before the end; all seats are informed. `omni` is granted by who opened the match, the letter of a side by the seat of that side, and `caster` by the operator alone. `name` is what the other goes by on this server. */
export interface GrantFeed {
  t: "grant";
  match: string;
  name: string;
  feed?: string;
  id: number;
}

/** What a ground unit is, where height, sight and sensors make a difference. */
export type GroundKind = "battle_armour" | "infantry" | "mech" | "protomech" | "remote" | "structure" | "superheavy" | "vehicle";

/** What an attack on the ground needs on two dice, its chance in hundredths, its damage. */
export interface GroundOdds {
  t: "ground_odds";
  ship: string;
  weapon: string;
  at: string;
  needed: number;
  hundredths: number;
  damage: number;
}

/** What an own attack on the ground did: its own dice and the damage. */
export interface GroundShotResult {
  t: "ground_shot";
  ship: string;
  weapon: string;
  at: string;
  damage: number;
  dice: number[];
}

/** An own ground unit, with everything its owner may know of it. It is on a surface map (`site` and `cell`) or `aboard` an own ship. `type` is what an enemy learns who identifies it, `variant` the name of its class. `move` and `jump` are inches, `dispensers` counts those of remote sensors. `silent`: its weapons are silent this turn. */
export interface GroundView {
  id: string;
  name: string;
  type: string;
  variant: string;
  kind: GroundKind;
  toughness: number;
  points: number;
  site?: Site | null;
  cell?: Cell | null;
  aboard?: string | null;
  hidden?: boolean;
  mode?: Mode;
  move?: number;
  jump?: number;
  height?: number;
  af?: number;
  quality?: Quality | null;
  gunnery?: number;
  specials?: Special[];
  weapons?: ArmView[];
  damage?: number;
  heat?: number;
  ecm_on?: boolean;
  dispensers?: number;
  silent?: boolean;
  fate?: Fate;
}

/** The scan an own ship made last, which the same scan again may build on. */
export interface HabitView {
  turn: number;
  square: Square;
  type: ScanType;
  size: ScanSize;
  at: Square;
  streak?: number;
}

/** Open the talk; a token makes the caller the person who was given it. `bot` says that a program plays on this connection; all audiences see that of its seats. */
export interface Hello {
  t: "hello";
  v: number;
  client?: string;
  name?: string | null;
  token?: string | null;
  bot?: boolean;
  id: number;
}

/** Hold a dumb weapon for the nearest cloaked ship that fires and that it can hit. */
export interface Hold {
  t: "hold";
  weapon: string;
  ship: string;
}

/** That `side` holds a piece, and how. */
export interface Holding {
  side: string;
  fix: Fix;
}

/** That some side hunts an own ship: `fix` is memory in a turn in which it was not found. */
export interface HuntView {
  fix: Fix;
  trackers: TrackersView;
}

/** What one own piece leaves undone. `at` is what its `weapon` could be fired at, the first of what the view lists, or what it could request the data of. `folded`: it would have a sensor that works if they were popped out. */
export interface Idle {
  piece: string;
  kind: IdleKind;
  weapon?: string | null;
  at?: string | null;
  folded?: boolean;
}

/** What a set of orders leaves undone. A piece that could act has no order; a ship will have no sensor that works; a weapon that can be fired at a piece held is neither fired nor held. */
export type IdleKind = "no_order" | "no_sensor" | "weapon_unused";

/** Indirect fire came down in sight; who fired is not known. */
export interface ImpactSeen {
  t: "impact";
  site: Site;
  cell: Cell;
}

/** Ask for one match's card and seats; a private one is shown with its `code`. */
export interface Info {
  t: "info";
  match: string;
  code?: string | null;
  id: number;
}

/** The order of the sides this turn, winner first. */
export interface InitiativeDrawn {
  t: "initiative";
  order: string[];
}

/** An item of the scenario is with an own agent, lies somewhere, or is delivered. */
export interface ItemMoved {
  t: "item";
  name: string;
  carrier?: string | null;
  site?: Site | null;
  delivered?: boolean;
}

/** An item of which the viewer knows: where it lay when last heard of, or who carries it. `goal` is where an own objective wants it. */
export interface ItemView {
  name: string;
  goal?: Site | null;
  site?: Site | null;
  carrier?: string | null;
  delivered?: boolean;
}

/** Space is jammed no longer. */
export interface JamOver {
  t: "jam_over";
}

/** Sweeps have jammed space: no ship detects by listening up to the turn named. */
export interface JamSet {
  t: "jam";
  until: number;
}

/** Take a seat, by match or by code, of a private match by its code or by both. `pledge` is the hash of the seat's entropy, 64 hexadecimal digits in small letters. */
export interface Join {
  t: "join";
  match?: string | null;
  code?: string | null;
  side?: string | null;
  pledge?: string | null;
  id: number;
}

/** The answer to `lesson` with `answer`: whether it is solved, or what is said of the orders. Once it is solved, `idea` is what it teaches, and `frames` are what came next in its match. */
export interface JudgedLesson {
  t: "lesson_judged";
  id: number;
  solved: boolean;
  said?: string;
  idea?: string;
  frames?: Frame[];
}

/** The answer to `ladder`: a family's ladder, or without one that there are no ratings yet. `families` are those in which there are ratings. `mine` is the caller's own line, wherever it is; it is absent if the caller has no rating there. With `more` the ladder goes on. */
export interface Ladder {
  t: "ladder";
  id: number;
  family?: string | null;
  families?: string[];
  lines?: LadderLine[];
  mine?: LadderLine | null;
  more?: boolean;
}

/** How strong a player is: a rating, and the interval that holds it in 95 of 100 cases. A player without a match is 1500, and somewhere from 500 to 2500. `matches` is how many rated matches it rests on, `bot` says that it is a bot: the server's, or one that says so itself. `rank` counts by the lower end. */
export interface LadderLine {
  rank: number;
  name: string;
  rating: number;
  low: number;
  high: number;
  matches: number;
  bot?: boolean;
}

/** Land on an asteroid (name the sector) or a planet (name the environs). On a planet a cell of the surface map may be named, else it is the middle of the map. */
export interface Land {
  t: "land";
  body: string;
  sector?: Compass | null;
  environs?: number | null;
  cell?: Cell | null;
  ship: string;
}

/** Where a landed ship stands: the body's name, the surface sector, a planet's environs. `cell` is the one of the environs' surface map; None stands for the middle of the map. */
export interface Landing {
  body: string;
  sector: Compass;
  environs?: number | null;
  cell?: Cell | null;
}

/** Launch missiles from a launcher at a square, fighters aboard, or a remote sensor. A volley launched `cold` drifts in its first turn instead of burning. A remote sensor starts where the ship's move ends, and drifts as it does. A ground unit launches remote sensors alone; one lies where its move ends. */
export interface Launch {
  t: "launch";
  what: Launchable;
  weapon?: string;
  at?: Square | null;
  cold?: boolean;
  ship: string;
}

/** What a ship may launch: missiles, a flight of fighters that it carries, a remote sensor. */
export type Launchable = "fighter" | "missiles" | "remote";

/** Leave a lobby match, or stop watching. */
export interface Leave {
  t: "leave";
  match: string;
  id: number;
}

/** How many entries at the end of a list of a sheet were left out. */
export interface LeftOut {
  part: string;
  count: number;
}

/** Orders that this window takes, examples of each kind for each own ship. Scans stand for their type and size with one centre; every centre the map has is as good. `left_out` counts those at the end that did not fit in an answer. */
export interface LegalOrders {
  t: "legal";
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  left_out?: number;
}

/** What `lesson` can do. List all, open one, give its hint, ask as in a match, check whether orders can be given together, or answer. */
export type LessonAct = "answer" | "ask" | "check" | "hint" | "list" | "open";

/** The answer to `lesson` with `hint`; `tries` are lines of the terminal that show more. */
export interface LessonHint {
  t: "lesson_hint";
  id: number;
  hint: string;
  tries?: string[];
}

/** A lesson of the list, and whether the caller has solved it. `lesson` is what `lesson` calls it, `source` the rule system with its section. */
export interface LessonLine {
  lesson: string;
  number: number;
  title: string;
  source: string;
  solved?: boolean;
}

/** The answer to `lesson` with `list`: all lessons, in the order in which they teach. */
export interface Lessons {
  t: "lessons";
  id: number;
  lessons: LessonLine[];
}

/** Lift off from the body on which the ship stands. */
export interface Lift {
  t: "lift";
  ship: string;
}

/** What this server takes: bytes and orders of a message, characters of texts. `ask_points` is what the answers to a seat's questions may cost in a window, and to those of an account about lessons; so many of them come back each second. `answer_bytes` is the longest `sheet` or `legal`, as JSON text. */
export interface Limits {
  message_bytes: number;
  orders: number;
  name: number;
  chat: number;
  ask_points?: number;
  ask_points_per_second?: number;
  answer_bytes?: number;
}

/** Ask for the matches of a list, or for the beginnings of the lists `open`, `running`, `mine`. At most so many lines of each are listed; `after` is where `matches.more` says to go on. It never says so of `lively`, whose order changes all the time. */
export interface ListMatches {
  t: "list";
  which?: Listing | null;
  after?: string | null;
  most?: number;
  id: number;
}

/** A shot of a ship: how it bears and its mean damage (x 100), as in `shot_odds`. `arc` is the one that it goes through, none for what lies beneath the base and for a weapon without arcs; `range` is that between the bases. */
export interface ListedShot {
  weapon: string;
  at?: string | null;
  arc?: Arc | null;
  band: number;
  range: number;
  relation: Relation;
  mean_hundredths: number;
}

/** Listen for cloaked ships, as every ship does by default, or do not. */
export interface Listen {
  t: "listen";
  on?: boolean;
  ship: string;
}

/** The chance in hundredths to hear a cloaked ship that used 1, 2, 3 … thrust, at best. `own` is the thrust that the listening ship used, `loudest` the most that an own ship did; a louder foreign ship lowers the chances. */
export interface ListenOdds {
  t: "listen_odds";
  ship: string;
  own: number;
  loudest: number;
  hundredths: number[];
}

/** The lists of matches: those that wait for seats, that run, that are yours, that are over. `lively` has those that run with the most eventful first: by the entries of the public record of the last three turns, as far as they were shown; of equal ones the one that runs longest. */
export type Listing = "lively" | "mine" | "open" | "over" | "running";

/** The loss of one own piece, and in which turn it is lost. `square` is where its move ends, beyond `edge` or in `body`; of `lost_next_turn` where it would drift in that turn. `pulled`: without gravity the move would end in space. `aboard` are the units and agents that go with a ship which is lost in this turn. With a `weapon` it is the volley that the piece launches from it now. `not_deployed` has the square of the dice. */
export interface Loss {
  piece: string;
  kind: LossKind;
  turn: number;
  square?: Square | null;
  edge?: Compass | null;
  body?: string | null;
  pulled?: boolean;
  aboard?: string[];
  weapon?: string | null;
}

/** What a set of orders loses. The piece ends its move off the map or in the body of a planet; or it does so next turn, whatever is ordered then; or it is not given its place, which this window alone takes. */
export type LossKind = "leaves_map" | "lost_next_turn" | "not_deployed" | "not_stationed" | "strikes_body";

/** No own piece is left that sees a surface map; what was held on it is memory. */
export interface MapLost {
  t: "map_lost";
  site: Site;
}

/** The tokens on a surface map are seen from now on. */
export interface MapSeen {
  t: "map_seen";
  site: Site;
}

/** The answer to `info`. Of a match that is over, `rematch` are the sides that wish another one, and `next` is that one once it is open. */
export interface MatchInfo {
  t: "match";
  id: number;
  line: MatchLine;
  card: ScenarioCard;
  rematch?: string[];
  next?: string | null;
}

/** One line of a list; `your_turn` and `awaits_bot` are set in the caller's own only. `awaits_bot` says that a program took the caller's seat, and that no connection holds it now. A match that is played on from another one, and so is unrated, says `from` where. One that is `rated` counts for the ratings of those who sit in it, if it gets past turn 1. `turn` and `phase` are those of the newest frame that the caller's seat, or else the public, was sent of a match that runs. One that is over has its `result`, unless an older server ended it. */
export interface MatchLine {
  match: string;
  scenario: string;
  state: RoomState;
  seats: SeatInfo[];
  title?: string;
  clock?: string;
  turn?: number;
  phase?: Phase | null;
  mine?: string | null;
  your_turn?: boolean;
  awaits_bot?: boolean;
  from?: Origin | null;
  rated?: boolean;
  result?: Result | null;
}

/** The answer to `list`: the lists asked for. `more` has, for each of them that goes on, what to send as `after`. What is over comes the newest first, and after all else of the caller's own. */
export interface Matches {
  t: "matches";
  id: number;
  open?: MatchLine[];
  running?: MatchLine[];
  mine?: MatchLine[];
  over?: MatchLine[];
  lively?: MatchLine[];
  more?: { [key: string]: string };
}

/** An own missile on its way over the ground, which lands in the ENGAGE of turn `lands`. */
export interface MissileView {
  ship: string;
  weapon: string;
  at: Site;
  cell: Cell;
  lands: number;
}

/** Send a group on a mission: the agent `ship` and the `others` of the group. `at` is the token that sabotage is for, else it is one at random; `silence` takes its weapons for a turn instead of doing damage. `name` is the item to steal or deliver, or the own agent to free or deliver; without it whatever there is. */
export interface Mission {
  t: "mission";
  kind: MissionKind;
  others?: string[];
  at?: string | null;
  silence?: boolean;
  name?: string | null;
  ship: string;
}

/** What a mission group sets out to do. */
export type MissionKind = "deliver" | "free" | "sabotage" | "spy" | "steal";

/** The chance in hundredths that a mission succeeds, if there is what it is meant for. */
export interface MissionOdds {
  t: "mission_odds";
  ship: string;
  kind: MissionKind;
  hundredths: number;
}

/** A mission of an agent or a group, and its chance in hundredths as in `mission_odds`. */
export interface MissionReach {
  order: Mission;
  hundredths: number;
}

/** What came of an own mission. */
export interface MissionResult {
  t: "mission_result";
  ship: string;
  kind: MissionKind;
  success?: boolean;
}

/** How a ground unit moves; `none` stays where it is. */
export type Mode = "foot" | "hover" | "none" | "tracked" | "wheeled";

/** Move a ground unit along a path of cells, or load it into a landed ship or out of one. `ship` is the unit's own id. With `jump` the path is the one cell where it comes down. `load` names the own ship it goes into, `unload` brings it out; either takes the whole move. `token`: a hidden unit that moves unseen becomes a token instead of being shown. */
export interface Move {
  t: "move";
  path?: Cell[];
  jump?: boolean;
  load?: string | null;
  unload?: boolean;
  token?: boolean;
  ship: string;
}

/** Why a ground unit went less far than ordered, or did not go at all. */
export type MoveFault = "no_ship" | "terrain";

/** Stop (or start) hearing a side's chat. */
export interface Mute {
  t: "mute";
  match: string;
  side: string;
  on?: boolean;
  id: number;
}

/** Something with a public cause, in the same sequence as the frames (0: outside it). With news that move the clock, `closes_ms` is when the open window closes for the receiver, counted from their own release. News of the whole server have an empty `match`; where it is to end, `ends_ms` is when, counted likewise. */
export interface News {
  t: "news";
  match: string;
  seq: number;
  kind: NewsKind;
  side?: string | null;
  text?: string;
  closes_ms?: number | null;
  ends_ms?: number | null;
}

/** What no window brings. */
export type NewsKind = "chat" | "clock" | "draw" | "pause" | "seat" | "server";

/** Whom the noise of an active sweep robs of passive detection: the sweeper, or all sides. */
export type NoiseBlinds = "all" | "self";

/** A nova gun was fired somewhere; passive detection fails in every turn up to `until`. */
export interface NovaSeen {
  t: "nova";
  until: number;
}

/** What a side scores for apart from destroying. */
export type ObjectiveKind = "collect" | "deliver" | "escape" | "hold" | "identify" | "survive";

/** An own objective: its kind, and the edge, the piece, the environs or the body it names. One to `collect` is `met` once it has been; of others the view does not say. A match ends once the viewer alone has troops standing openly there for `ends_after` turns on end, or when as many turns have ended since the piece to `survive` was destroyed, if that is not 0. */
export interface ObjectiveView {
  kind: ObjectiveKind;
  edge?: Compass | null;
  piece?: string | null;
  at?: Site | null;
  body?: string | null;
  met?: boolean;
  ends_after?: number;
}

/** Which sides have troops standing openly on an environs at the end of a turn. `turns` counts those on end with one and the same side alone, 0 if it is none or several; the match ends when they are `ends_after`, if that side has an objective with such a number there. */
export interface Occupation {
  t: "occupation";
  site: Site;
  sides?: string[];
  turns?: number;
  ends_after?: number;
}

/** Offer a draw, sealed until every seat has done so; `on` false takes it back. */
export interface OfferDraw {
  t: "draw";
  match: string;
  on?: boolean;
  id: number;
}

/** The answer to `lesson` with `open`: the story, the task and the position. `frame` is what the side of the lesson was sent, `sheets` those of its pieces before any order. What solves it is not among this. */
export interface OpenedLesson {
  t: "lesson";
  id: number;
  line: LessonLine;
  story: string;
  task: string;
  frame: Frame;
  sheets?: Sheet[];
}

/** The match, and the turn of it, from which another is played on, or will be. */
export interface Origin {
  match: string;
  turn: number;
}

/** The answers to a request for data, as the asker hears them. What was not requested is not answered at all, so its word never travels. */
export type Outcome = "full" | "illegal" | "inconclusive" | "not_requested" | "out_of_reach";

/** The end: the result, the revealed server seed and the head of the record's chain. */
export interface Over {
  t: "over";
  match: string;
  seq: number;
  result: Result;
  seed: string;
  head: string;
}

/** An own piece on the ground was harmed by fire that came down at a point. */
export interface OwnBlasted {
  t: "own_blasted";
  ship: string;
  damage: number;
  site: Site;
  point: [number, number];
}

/** An own ship came to rest at an asteroid and met the objective to collect there. */
export interface OwnCollected {
  t: "own_collected";
  ship: string;
  body: string;
}

/** An own unit has put its beam on the middle of a cell. */
export interface OwnDesignated {
  t: "own_designated";
  ship: string;
  site: Site;
  cell: Cell;
}

/** An own ship or ground unit is destroyed; `cause` says how, in words. `fire`, `crash`, `sabotage`, `with its ship`; of a volley `spent` or `burnt out`, of a remote sensor always `lost`. */
export interface OwnDestroyed {
  t: "own_destroyed";
  ship: string;
  cause: string;
}

/** An own agent or agent spaceship is detected, and why. */
export interface OwnDetected {
  t: "own_detected";
  ship: string;
  cause: Cause;
}

/** Leeches from earlier turns did damage to an own ship. */
export interface OwnDrained {
  t: "own_drained";
  ship: string;
  damage: number;
}

/** An own hidden unit has moved and is hidden no longer: a token, or shown for what it is. */
export interface OwnEmerged {
  t: "own_emerged";
  ship: string;
  identified: boolean;
}

/** An own ship left the map for good. */
export interface OwnEscaped {
  t: "own_escaped";
  ship: string;
  edge: Compass;
}

/** An own cloaked ship was found, by an unnamed side: `fix` is detected, or solution. */
export interface OwnFound {
  t: "own_found";
  ship: string;
  fix: Fix;
}

/** An own agent is free. */
export interface OwnFreed {
  t: "own_freed";
  ship: string;
}

/** An own piece on the ground was attacked; of indirect fire the source is not seen. */
export interface OwnGroundHit {
  t: "own_ground_hit";
  ship: string;
  weapon: Arm;
  damage: number;
  site: Site;
  cell: Cell;
}

/** An own ground unit went less far than ordered, and stands on `cell`. */
export interface OwnHalted {
  t: "own_halted";
  ship: string;
  why: MoveFault;
  cell: Cell;
}

/** An own ship was fired at: the kind of weapon and the damage taken. `stopped` counts the missiles that its point defence took, `spent` the points of it that met a capital missile. */
export interface OwnHit {
  t: "own_hit";
  ship: string;
  weapon: WeaponKind;
  damage: number;
  stopped?: number;
  spent?: number;
}

/** An own piece on the surface was identified by a unit that is not hidden. */
export interface OwnIdentified {
  t: "own_identified";
  ship: string;
}

/** An own ship lay in the valid part of a scan: its best signal, and what gave it away. */
export interface OwnInScan {
  t: "own_in_scan";
  ship: string;
  side: string;
  signal?: number | null;
  signatures?: string[];
}

/** An own agent is dead. */
export interface OwnKilled {
  t: "own_killed";
  ship: string;
}

/** An own ship has launched a piece: a volley of so many missiles, or a flight of fighters. */
export interface OwnLaunched {
  t: "own_launched";
  ship: string;
  piece: string;
  missiles?: number;
}

/** An own missile is on its way over the ground and lands in the ENGAGE of turn `lands`. */
export interface OwnMissileSent {
  t: "own_missile";
  ship: string;
  weapon: string;
  at: Site;
  cell: Cell;
  lands: number;
}

/** An own piece on the ground noticed a foreign beam or launch: the bearing, no more. In degrees clockwise from north, rounded down to 30. */
export interface OwnNoticed {
  t: "emission";
  ship: string;
  bearing: number;
}

/** A fighter of `side` is right above a map by day: these own pieces there are identified. They are all that are not hidden, whether they were known before it or not. */
export interface OwnOverflown {
  t: "own_overflown";
  side: string;
  site: Site;
  ships: string[];
}

/** A probe was trained on an own piece: the bearing it came from, down to 30 degrees. */
export interface OwnProbed {
  t: "own_probed";
  ship: string;
  bearing?: number | null;
}

/** An own ground unit was sabotaged: its damage, or `silent` weapons in the next turn. */
export interface OwnSabotaged {
  t: "own_sabotaged";
  ship: string;
  damage?: number;
  silent?: boolean;
}

/** A side searched an environs for own agents; `found` are those that it found. */
export interface OwnSearched {
  t: "own_searched";
  site: Site;
  side: string;
  found?: string[];
  event?: boolean;
}

/** An own agent or agent spaceship has shaken its detection off. */
export interface OwnShaken {
  t: "own_shaken";
  ship: string;
  planet: string;
}

/** An own ship was fired at from the ground: the kind of weapon and the damage taken. `spent` counts the points of its point defence that met a missile, `stopped` is 1 if they stopped it. */
export interface OwnShelled {
  t: "own_shelled";
  ship: string;
  weapon: Arm;
  damage: number;
  spent?: number;
  stopped?: number;
}

/** An own agent could not do as ordered. */
export interface OwnStepFailed {
  t: "own_step_failed";
  ship: string;
  why: StepFault;
}

/** The troops with which an own agent stood are gone; the agent stands alone. */
export interface OwnStranded {
  t: "own_stranded";
  ship: string;
}

/** How a fight ended for own agents that were found. `soldiers` came, or the agents named; `lost` and `beaten` are those of them that fell. */
export interface OwnStruck {
  t: "own_struck";
  site: Site;
  side: string;
  outcome: FightOutcome;
  soldier?: Soldier | null;
  soldiers?: number;
  lost?: number;
  by?: string[];
  beaten?: string[];
  fallen?: string[];
  escaped?: string[];
}

/** A threshold check of an own ship, or a needle beam, cost it a system. */
export interface OwnSystemLost {
  t: "own_system_lost";
  ship: string;
  system: string;
}

/** An own ship is no longer tracked by a side. */
export interface OwnTrackLost {
  t: "own_track_lost";
  ship: string;
  side: string;
}

/** An own ship is tracked by a side and moves in the open. */
export interface OwnTracked {
  t: "own_tracked";
  ship: string;
  side: string;
}

/** An own hidden unit was found by an enemy. */
export interface OwnUncovered {
  t: "own_uncovered";
  ship: string;
}

/** An own ship, with everything its owner may know of it. `cloak` says that its class has a cloak. `thrust` is what the drive gives now; `starting` says that a plant ordered on works from the next movement; `thrust_spent` and `thrust_used` are those of this turn's movement. `firing_arcs` are those through which some working weapon fires, in a turret or not. `point_defence` counts the points that work, `flights` the fighters still aboard, `bays` the ground units it can carry, `shuttle` is whether it has one for agents. `specials` are the abilities that work, `ecm` says whether the jammer is switched on, if there is one, `dispensers` counts those of remote sensors, `heat` the weapons fired in the last ENGAGE. A remote sensor names the ship that `controls` it. `detected` is the flag of a `agent_spaceship`, `bound_for` the ship's standing order. `sensors` has its rating for each scan type, 1 to 4; a type without one has 0. */
export interface OwnView {
  id: string;
  name: string;
  type: string;
  square: Square;
  vector: Vector;
  facing: Compass;
  size: BaseSize;
  echo: Echo;
  hull: number;
  points: number;
  kind?: PieceKind;
  damage?: number;
  screens?: number;
  thrust?: number;
  drive?: Drive;
  sensors: { [key: string]: number };
  crew?: Crew;
  powered?: boolean;
  starting?: boolean;
  popped_out?: boolean;
  hull_sensors_work?: boolean;
  cloak?: boolean;
  cloak_works?: boolean;
  cloaked?: boolean;
  landed?: Landing | null;
  turrets?: TurretView[];
  weapons?: WeaponView[];
  firing_arcs?: Arc[];
  thrust_spent?: number;
  thrust_used?: number;
  habit?: HabitView | null;
  exposed?: Exposure[];
  point_defence?: number;
  flights?: number;
  volley?: VolleyView | null;
  bays?: number;
  shuttle?: boolean;
  agent_spaceship?: boolean;
  detected?: boolean;
  bound_for?: string | null;
  specials?: Special[];
  ecm?: boolean | null;
  dispensers?: number;
  heat?: number;
  controls?: string | null;
  hunted?: HuntView[];
  fate?: Fate;
}

/** Which of the cloaked ships that a passive roll beats it reveals: the nearest, or all. */
export type PassiveReveals = "all" | "nearest";

/** The input windows of a turn, and the end of the match. */
export type Phase = "detect" | "engage" | "over" | "plot" | "scan";

/** A part of the record file; the one with `last` set ends it. */
export interface Piece {
  t: "piece";
  id: number;
  match: string;
  from_byte: number;
  data: string | Uint8Array;
  last?: boolean;
}

/** What a piece in space is, where rules make a difference. */
export type PieceKind = "decoy" | "fighter" | "missile" | "remote" | "starship";

/** A side has lost a piece that had to survive, by which the match ends. `turns` counts the turns that have ended since, the one of the loss among them; the match ends when they are `ends_after`. */
export interface PieceLost {
  t: "piece_lost";
  side: string;
  piece: string;
  turns: number;
  ends_after: number;
}

/** A piece of the truth, for `omni` alone. */
export interface PieceView {
  side: string;
  id: string;
  name: string;
  type: string;
  square: Square;
  vector: Vector;
  facing: Compass;
  echo: Echo;
  hull: number;
  damage?: number;
  powered?: boolean;
  popped_out?: boolean;
  ecm?: boolean | null;
  heat?: number;
  cloaked?: boolean;
  landed?: Landing | null;
  held?: Holding[];
  volley?: VolleyView | null;
  fate?: Fate;
}

/** Ask for the server's time. */
export interface Ping {
  t: "ping";
  id: number;
}

/** A planet: its name, the square of its centre, its size and its environs. */
export interface Planet {
  name: string;
  at: Square;
  size: PlanetSize;
  environs?: Environs[];
}

/** How big a planet is: small has a body of one square, large of three by three. */
export type PlanetSize = "large" | "small";

/** The answer to `ping`: the server's clock in milliseconds, as it leaves. */
export interface Pong {
  t: "pong";
  id: number;
  time_ms: number;
}

/** Switch the power plant: off at once, on from the next turn's movement. `ecm` switches the ship's jammer too, at once; without it the jammer stays as it is. Of a ground unit it is the jammer alone, with `on` true. */
export interface Power {
  t: "power";
  on: boolean;
  ecm?: boolean | null;
  ship: string;
}

/** How thick the air of an environs is. */
export type Pressure = "high" | "standard" | "thin" | "trace" | "vacuum";

/** Ask for the data of a piece that is held and identified: one request a piece and turn. A ground unit asks about a token of its map, a ship about what is held in space and, landed, about a token as well. */
export interface Probe {
  t: "probe";
  at: string;
  ship: string;
}

/** An own piece noticed that a probe is at work: the bearing, rounded down to 30 degrees. Degrees run clockwise from north; without any the probe is in the same square. */
export interface ProbeSensed {
  t: "probe_sensed";
  ship: string;
  bearing?: number | null;
}

/** The names of the chart of troops, which decide what soldiers a patrol is made of. */
export type Quality = "conscript" | "elite" | "first_line" | "guard" | "irregular" | "marine" | "militia" | "regular" | "second_line" | "stormtrooper";

/** What `ask` can be about. */
export type Question = "legal" | "look" | "odds" | "preview" | "review" | "sheet" | "why";

/** The answer to `quick`: the caller waits, or has a seat in `match` that is kept for them. With a seat, send `join` and then `ready` within `ready_ms` of this answer's first arrival. Otherwise ask again after `again_ms`. */
export interface Queued {
  t: "queued";
  id: number;
  match?: string | null;
  again_ms?: number;
  ready_ms?: number;
}

/** Wait for opponents of about the caller's strength, or go on waiting for them. Say it again every `queued.again_ms`: who falls silent waits no longer. `rated`: the match counts for ratings. */
export interface QuickMatch {
  t: "quick";
  family: string;
  rated?: boolean;
  id: number;
}

/** A radar scan has given away the square of the ship that made it. */
export interface RadarSeen {
  t: "radar";
  square: Square;
}

/** Say in the lobby that the seat is ready to start. With a `pledge` it takes the place of the one before: once entropy was revealed for a start that was called off, only another one is good. */
export interface Ready {
  t: "ready";
  match: string;
  on?: boolean;
  pledge?: string | null;
  id: number;
}

/** The command is not taken: a code, where in the message, why, and what would be right. With `retry_ms` it came too soon, and may be sent again after that time. */
export interface Refused {
  t: "refused";
  id: number;
  code: Code;
  text: string;
  at?: string;
  choices?: string[];
  retry_ms?: number;
}

/** Where a piece stands as measured from another one's midway line. */
export type Relation = "behind" | "flanking" | "in_front" | "none";

/** Ask for another match of the same kind with the sides changed; `on` false takes it back. */
export interface Rematch {
  t: "rematch";
  match: string;
  on?: boolean;
  id: number;
}

/** Give the caller's account another token: the one whose SHA-256 this is, in hexadecimal. The old token, every ticket of the account's seats and all its connections end with that. */
export interface Renew {
  t: "renew";
  token_hash: string;
  id: number;
}

/** Report the player of a side to the operator alone; the caller needs a seat there. */
export interface Report {
  t: "report";
  match: string;
  side: string;
  text: string;
  id: number;
}

/** Give the match up. */
export interface Resign {
  t: "resign";
  match: string;
  id: number;
}

/** How a match ended: the winner (none: a draw), why, and the points of all sides. */
export interface Result {
  winner: string | null;
  ending: Ending;
  points: { [key: string]: number };
}

/** Take the seat of a ticket again, or without one the caller's own. `have` is the last sequence number processed. */
export interface Resume {
  t: "resume";
  match: string;
  ticket?: string | null;
  have?: number;
  id: number;
}

/** Whether all missed frames follow or one keyframe that replaces the picture. */
export type ResumeKind = "exact" | "reset";

/** The answer to `resume`, and to `join` if the match has started and the seat is the caller's. The missed posts or a keyframe follow: those numbered up to `seq`, while what is numbered higher comes as it happens. `ticket` is the next ticket; without one those given before stay good. `since_ms` ago the newest of them was released that says when the window closes. `last_id` is the highest command id of this seat that was accepted, or may still be. `window` is the open window, and `rev`, `locked` and `orders` are what the server holds of the seat for it. */
export interface Resumed {
  t: "resumed";
  id: number;
  match: string;
  side: string;
  kind: ResumeKind;
  since_ms: number;
  last_id: number;
  card: ScenarioCard;
  ticket?: string | null;
  seq?: number;
  window?: string | null;
  rev?: number;
  locked?: boolean;
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  classes?: ClassCard[];
}

/** Reveal the entropy that was pledged with `join`, as hexadecimal digits. */
export interface Reveal {
  t: "reveal";
  match: string;
  entropy: string;
  id: number;
}

/** What a set of orders would lose, and what it leaves undone. `all_idle`: some ship could act in this window, and none has an order; where no ship could, the same of ground units and agents. `has_decision`: some order of the window could make a difference to the side; a client passes a window without one. `usual` are orders that a client adds to these unless its player says otherwise: sensors that go out at set-up. */
export interface Review {
  t: "review";
  losses?: Loss[];
  idle?: Idle[];
  all_idle?: boolean;
  has_decision?: boolean;
  usual?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
}

/** Take a grant back, at once; all seats are informed. Its granter may. */
export interface RevokeFeed {
  t: "revoke";
  match: string;
  name: string;
  feed?: string;
  id: number;
}

/** Where a match is in its life. */
export type RoomState = "lobby" | "over" | "running";

/** Point a turret indicator at another standard arc (double: at the other pair). */
export interface Rotate {
  t: "rotate";
  turret: string;
  to: Arc;
  ship: string;
}

/** Scan an area around a box (named, as in `E4`) or, for the square sizes, a square. `sense` asks for the Sense roll that turns contacts into tracks. */
export interface Scan {
  t: "scan";
  type: ScanType;
  size: ScanSize;
  at: string | Square;
  sense?: boolean;
  ship: string;
}

/** A declared scan with the answers to the three public questions. `strength` is the declared one; `effective` is what is left of it after the glare. */
export interface ScanAnswered {
  t: "scan";
  side: string;
  type: ScanType;
  size: ScanSize;
  at: string | Square;
  strength: number;
  answers: Answers;
  effective: number;
}

/** A place for scans of one size: what the ship would answer, whatever the type of the scan. `candidates` counts the squares on which the scanner may stand: on the map, then after each question. */
export interface ScanPlace {
  size: ScanSize;
  at: string | Square;
  glare?: boolean;
  from_well?: boolean;
  touches_well?: boolean;
  blocked?: Blocked[];
  candidates: [number, number, number, number];
}

/** What all others would learn if this scan were declared now. `finds_from` is the weakest signature the scan would turn into a contact. `candidates` counts the squares on which the scanner may stand: on the map, then after each question. */
export interface ScanPreview {
  t: "preview";
  ship: string;
  strength: number;
  effective: number;
  finds_from: number;
  answers: Answers;
  candidates: [number, number, number, number];
}

/** What an own scan found, always sent and often empty; `roll` is the Sense roll, if any. */
export interface ScanResult {
  t: "result";
  ship: string;
  found?: string[];
  tracked?: string[];
  roll?: number | null;
}

/** How much a scan covers: one square, 3 by 3 squares, one box, 3 by 3 boxes. */
export type ScanSize = "1box" | "1sq" | "3box" | "3sq";

/** How strong a ship's scan of one type and size is, and the weakest signature that it finds. The fields in glare hold at places with `glare`. With `at` it is the strength at that place alone, where the scan repeats that of last turn; without, at all other places. `gives_away`: all sides learn on which square the ship stands. */
export interface ScanStrength {
  type: ScanType;
  size: ScanSize;
  at?: string | Square | null;
  strength: number;
  effective: number;
  finds_from: number;
  effective_in_glare: number;
  finds_from_in_glare: number;
  gives_away?: boolean;
}

/** What a scan listens with; each type senses some signatures only. */
export type ScanType = "ir" | "mass" | "neutrino" | "radar" | "visual";

/** What is public of a scenario before turn 1. `options` are those in force; `unusual` names those that are not what they are by default. */
export interface ScenarioCard {
  name: string;
  title: string;
  brief: string;
  turns: number;
  board: Board;
  sides: string[];
  zones: { [key: string]: string[] };
  options: { [key: string]: string };
  unusual?: string[];
}

/** Search the environs where the own piece `ship` stands for all agents near it. `leader` is an own agent who stands with troops there, `strike` who goes against agents that are found. */
export interface Search {
  t: "search";
  leader?: string | null;
  strike?: Strike;
  ship: string;
}

/** The own search value in an environs, and the chances in hundredths to find who is there. `most` is against agents who hide worst, `least` against those who hide best: which of them are there, if any, the searcher does not know. */
export interface SearchOdds {
  t: "search_odds";
  site: Site;
  value: number;
  most: number;
  least: number;
}

/** What an own search found; `event`: an event of a mission called for it. */
export interface SearchResult {
  t: "search_result";
  site: Site;
  side: string;
  value: number;
  found?: boolean;
  event?: boolean;
}

/** One seat: its side, who holds it, and whether it is ready to start. `watched_by` are the names of those whom the seat lets see its own view. `bot` says of an account's seat that a program plays it, as that has said in its `hello`. */
export interface SeatInfo {
  side: string;
  state: SeatState;
  name?: string;
  ready?: boolean;
  watched_by?: string[];
  bot?: boolean;
}

/** Whether a seat is free, held by an account or held by a bot of the server. */
export type SeatState = "account" | "bot" | "free";

/** The answer to `join`: the seat, its ticket, and the server's commitment to the dice. `rated` says that the match counts for the caller's rating, once turn 1 is over. */
export interface Seated {
  t: "seated";
  id: number;
  match: string;
  side: string;
  ticket: string;
  commitment: string;
  card: ScenarioCard;
  classes?: ClassCard[];
  rated?: boolean;
}

/** The chance in hundredths that a contact of signal 0, 1, 2 … is tracked by this ship. */
export interface SenseOdds {
  t: "sense_odds";
  ship: string;
  hundredths: number[];
}

/** Pop the hull sensors out or fold them, at once. */
export interface Sensors {
  t: "sensors";
  out: boolean;
  ship: string;
}

/** Name an address that is called when a match by correspondence waits for the caller. `url` is of https; without one the calls end. */
export interface SetWebhook {
  t: "webhook";
  url?: string | null;
  id: number;
}

/** All that one own piece may do in the open window, with the `orders` of the question. `orders` are those that no other list has, as examples like those of `legal`: a `land` or `deploy` on a map without a cell stands for all cells of the map, a `deploy` that says whether the ship is `cloaked` for all `deploys`, a `move` with `token` for all `walks`. `deploys` are squares, `deploy_speed` how far a vector may go from there in x and in y, `walks` the cheapest path to each cell that can be reached, `jumps` cells. `remotes`: how many remote sensors may be launched, each by an order of its own. `heard`: the highest chances in hundredths that a listener hears the cloaked ship, by the `thrust` that a course uses: 0, 1, 2 …. `aims` are the squares to which missiles may be sent, for each `launch` and `aim` among `orders`. `attacks` are those of a ground unit. `left_out` names the lists that did not fit in an answer whole. */
export interface Sheet {
  t: "sheet";
  piece: string;
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  deploys?: Square[];
  deploy_speed?: number;
  courses?: CourseEnd[];
  heard?: number[];
  aims?: Square[];
  scans?: ScanStrength[];
  places?: ScanPlace[];
  listen?: ListenOdds | null;
  sweep?: SweepOdds | null;
  arcs?: WeaponArcs[];
  shots?: ListedShot[];
  bombards?: BombardReach[];
  attacks?: GroundOdds[];
  stations?: StationReach[];
  walks?: Cell[][];
  jumps?: Cell[];
  steps?: StepReach[];
  missions?: MissionReach[];
  remotes?: number;
  search?: SearchOdds | null;
  left_out?: LeftOut[];
}

/** Agents are near a tracked ship; `over`: no longer. */
export interface ShipAlertSeen {
  t: "ship_alert";
  label: string;
  over?: boolean;
}

/** A ship that fired in sight is known by side and type. */
export interface ShooterKnown {
  t: "shooter";
  label: string;
  square: Square;
  side: string;
  type: string;
}

/** How a shot bears: the band through the arc, the relation and the mean damage (x 100). The mean leaves the target's screens out of account, since no other side knows them. A nova gun names no target; its mean is that of the first sweep, for all together that is held there. */
export interface ShotOdds {
  t: "shot_odds";
  ship: string;
  weapon: string;
  at: string | null;
  band: number;
  relation: Relation;
  mean_hundredths: number;
}

/** What an own shot did: its own dice and the damage; a shot that could not work is a miss. `arc` is the one it was made through; none of what lay beneath the base or needs no arc. `stopped` counts the missiles that point defence took, of a volley or a capital one. */
export interface ShotResult {
  t: "shot_result";
  ship: string;
  weapon: string;
  at: string;
  damage: number;
  dice: number[];
  stopped?: number;
  arc?: Arc | null;
}

/** A direct shot has given away the square of the ship that fired. */
export interface ShotSeen {
  t: "shot";
  square: Square;
}

/** A side has no piece left in play. */
export interface SideOut {
  t: "side_out";
  side: string;
}

/** What may give a piece away: the kind of sensor that notices it, and the part it notices. */
export type Signature = "ir_power" | "ir_thrust" | "mass_hull" | "neutrino_power" | "radar_hull" | "visual_hull" | "visual_thrust";

/** An environs of a planet and so a surface map: the planet's name and the number. */
export type Site = [string, number];

/** What the soldiers of a patrol are. */
export type Soldier = "conscript" | "elite" | "line" | "marine" | "militia" | "regular" | "stormtrooper";

/** One ability: jammers, probes, stealth, size, lights, systems that come in numbers. */
export type Special = "AECM" | "BH" | "DRO" | "ECM" | "LECM" | "LG" | "LPRB" | "LTAG" | "MAS" | "NOVA" | "PRB" | "RSD" | "SLG" | "SRCH" | "STL" | "TAG" | "VLG" | "WAT";

/** A foreign ground unit as spies saw it, with everything a data scan gives. `move` is in inches, `modes` how it moves, `ecm` whether its jammer works, if it has one. */
export interface SpiedUnitView {
  side: string;
  type: string;
  variant: string;
  cell: Cell;
  hidden?: boolean;
  damage?: number;
  toughness?: number;
  heat?: number;
  move?: number;
  modes?: string[];
  ecm?: boolean | null;
}

/** Own spies know the troops of an environs; what they know stands in the view. */
export interface SpyResult {
  t: "spied";
  site: Site;
  units: number;
}

/** What spies know of the troops of an environs as of `turn`, and the names of who leads. */
export interface SpyView {
  site: Site;
  turn: number;
  units?: SpiedUnitView[];
  leaders?: string[];
}

/** One square of the grid, by column x (eastward) and row y (southward). */
export type Square = [number, number];

/** Where the match stands, the same for all audiences. `slot` is the side whose SCAN slot is open; with sealed slots it is absent. `initiative` lists the sides of this turn from the winner on; `out` those without pieces in play. */
export interface Stage {
  turn: number;
  turns: number;
  phase: Phase;
  window: string;
  slot?: string | null;
  initiative?: string[];
  sides?: string[];
  out?: string[];
}

/** The standing orders of an agent, for the group that it speaks for. Without `wounds` they fall at random; without `hides_by` the best one counts. */
export interface StanceView {
  fight?: FightPolicy;
  wounds?: string[];
  hides_by?: string | null;
}

/** Give a standing order, which stays until it is changed; what is absent stays as it is. For a ship `bound_for`: a planet, `off` the map, or `none`. For an agent what the group does for which it speaks: `fight`, the order in which `wounds` fall (empty: at random), and who it `hides_by` (its own id: itself; `none`: the best of them). For the own side, by its letter, `strike`: who goes when an event calls for a search. */
export interface Stand {
  t: "stand";
  bound_for?: string | null;
  fight?: FightPolicy | null;
  wounds?: string[] | null;
  hides_by?: string | null;
  strike?: Strike | null;
  ship: string;
}

/** Put an own ground unit or agent where it starts, before anything moves in turn 1. `ship` is its own id. A ground unit names a cell and may be `hidden`; an agent names none and may name the ground unit in whose stack it stands. */
export interface Station {
  t: "station";
  at: Site;
  cell?: Cell | null;
  hidden?: boolean;
  stacked?: string | null;
  ship: string;
}

/** The cells of a map on which a ground unit may start, hidden or not. */
export interface StationReach {
  at: Site;
  cells: Cell[];
}

/** Why an agent did not make a step, or a group not its mission, as ordered. */
export type StepFault = "apart" | "cloaked" | "in_other_group" | "no_shuttle" | "no_such_environs" | "no_such_vessel" | "no_troops" | "nobody" | "not_aboard" | "not_adjacent" | "not_on_ground" | "not_stacked" | "not_there" | "stacked";

/** Step out of a ship or of a stack of troops. From a starship in orbit, the shuttle goes to the environs named; a landed ship is left for the environs where it stands, named or not. */
export interface StepOut {
  t: "step_out";
  environs?: number | null;
  ship: string;
}

/** A step of an agent, and which own agents and ships are detected once it is made. The second list has those of them that the step itself gets detected. */
export interface StepReach {
  order: Walk | GoAboard | StepOut;
  detected?: string[];
  anew?: string[];
}

/** Whom a searching side sends against agents it finds. */
export type Strike = "agents" | "none" | "patrol";

/** How a fight against agents that were found ended, for those who found them. A patrol is `soldiers` of which `lost` fell; agents are named. The others by name. */
export interface StrikeResult {
  t: "strike_result";
  site: Site;
  side: string;
  outcome: FightOutcome;
  soldier?: Soldier | null;
  soldiers?: number;
  lost?: number;
  sent?: string[];
  own_fallen?: string[];
  fallen?: string[];
  escaped?: string[];
}

/** A surface map that the viewer sees (`seen`) or remembers, with the tokens on it. */
export interface SurfaceView {
  site: Site;
  seen?: boolean;
  tokens?: TokenView[];
}

/** Sweep for cloaked ships: all sides hear where the sweeping ship is. */
export interface Sweep {
  t: "sweep";
  ship: string;
}

/** How many cloaked ships a sweep finds on average (x 100) if 1, 2, 3 … are in sight. */
export interface SweepOdds {
  t: "sweep_odds";
  ship: string;
  mean_hundredths: number[];
}

/** An active sweep has given away the square of the ship that made it. */
export interface SweepSeen {
  t: "sweep";
  square: Square;
}

/** What a six means in a sweep: a mere reminder, or that even the nearest ship is missed. */
export type SweepSix = "reminder" | "strict";

/** The system a needle beam is aimed at; a weapon is any of them. */
export type SystemAim = "cloak" | "drive" | "ecm" | "point_defence" | "screens" | "sensors" | "weapon";

/** Take a lesson: a puzzle with one idea, on a position of a match, which orders solve. All but `list` name the `lesson`. To `ask`, `kind`, `about` and `orders` are those of `ask`; to `check` or `answer`, `orders` are all that one gives. */
export interface TakeLesson {
  t: "lesson";
  act: LessonAct;
  lesson?: string | null;
  kind?: Question;
  about?: string | Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search | null;
  orders?: (Deploy | Turn | Thrust | Power | Sensors | Cloak | Rotate | Land | Lift | Launch | Aim | Scan | Listen | Sweep | Probe | Fire | Hold | Bombard | Defend | Station | Move | Walk | GoAboard | StepOut | Mission | Stand | Search)[];
  id: number;
}

/** Spend thrust points after the turn, each one square into the facing or 45 degrees off it. */
export interface Thrust {
  t: "thrust";
  to: Compass[];
  ship: string;
}

/** How a token ends: gone from its map, lifted off, destroyed, or no longer seen. */
export type TokenEnd = "destroyed" | "left" | "lifted" | "unseen";

/** A held token is no longer there; one that lifts off shows what it was. */
export interface TokenGone {
  t: "token_gone";
  label: string;
  how: TokenEnd;
  side?: string | null;
  type?: string | null;
}

/** That `side` holds a piece of the surface, and whether it knows which it is. */
export interface TokenHolding {
  side: string;
  identified?: boolean;
}

/** A held token is known by side and type. */
export interface TokenIdentified {
  t: "token_identified";
  handle: string;
  label: string;
  side: string;
  type: string;
}

/** A foreign piece came into sight on a surface map; side and type only if it is identified. */
export interface TokenSeen {
  t: "token";
  handle: string;
  label: string;
  site: Site;
  cell: Cell;
  side?: string | null;
  type?: string | null;
}

/** A foreign piece on a surface map, as held or, without a handle, remembered. `turn` says as of when it is true. Side, type, `build` and `footprint` are there once it is identified, `dossier` once it was scanned for data. The build says how high it stands, the footprint how wide a large one is, in inches; 0 if it is not large. */
export interface TokenView {
  label: string;
  cell: Cell;
  turn: number;
  handle?: string | null;
  side?: string | null;
  type?: string | null;
  build?: Build | null;
  footprint?: number | null;
  dossier?: Dossier | null;
  fate?: Fate;
}

/** A track was missed; its last place stands until it is found again or lost. */
export interface TrackCoasts {
  t: "coasts";
  handle: string;
  label: string;
}

/** A contact is tracked from now on. */
export interface TrackGained {
  t: "track";
  handle: string;
  label: string;
  square: Square;
}

/** A track was missed twice and is a memory now. */
export interface TrackLost {
  t: "lost";
  label: string;
}

/** What decides whether past detections suffice: the last turns themselves, or two dice. */
export type TrackerMode = "dice" | "window";

/** One tracker of a hunted ship: its two dice, and the last turns from the oldest hit on. */
export interface TrackerView {
  count?: number;
  turns?: number;
  hits?: boolean[];
}

/** Both trackers of a hunted ship; `mode` says which of the two ways decides. The solutions are those that this turn's detection gives by the window and by the dice. */
export interface TrackersView {
  multi?: TrackerView;
  single?: TrackerView;
  solution_window?: boolean;
  solution_dice?: boolean;
  mode?: TrackerMode;
}

/** Nothing is left of the hunt for a cloaked ship but the memory. */
export interface TrailCold {
  t: "cold";
  label: string;
}

/** A missile of the truth on its way over the ground, for `omni` alone. */
export interface TrueMissileView {
  side: string;
  ship: string;
  weapon: string;
  at: Site;
  cell: Cell;
  lands: number;
}

/** Something about agents: whom it concerns, and what with all its numbers, in words. */
export interface TruthAgents {
  t: "truth_agents";
  side: string;
  piece?: string | null;
  what?: string;
}

/** Fire at a point of a surface map came down, or without a `point` was lost. */
export interface TruthBlast {
  t: "truth_blast";
  side: string;
  ship: string;
  weapon: string;
  site: Site;
  dice: number[];
  point?: [number, number] | null;
}

/** A ship cloaked, or shows itself again. */
export interface TruthCloak {
  t: "truth_cloak";
  side: string;
  ship: string;
  on: boolean;
}

/** A side met its objective to collect at an asteroid, with one of its ships. */
export interface TruthCollected {
  t: "truth_collected";
  side: string;
  piece: string;
  body: string;
}

/** A ground unit has put its beam on a cell. */
export interface TruthDesignated {
  t: "truth_tag";
  side: string;
  ship: string;
  at: Site;
  cell: Cell;
}

/** A piece was destroyed, left the map or landed. */
export interface TruthGone {
  t: "truth_gone";
  side: string;
  piece: string;
  cause: string;
}

/** A side gained, missed or lost hold of a piece: `fix` is a rung, or `lost`. */
export interface TruthHeld {
  t: "truth_held";
  side: string;
  owner: string;
  piece: string;
  fix: string;
  square: Square;
  signatures?: string[];
  roll?: number | null;
}

/** What the dice of a ship that listens or sweeps found, of which owners. */
export interface TruthHunt {
  t: "truth_hunt";
  side: string;
  ship: string;
  sweep: boolean;
  dice: number[];
  found?: [string, string][];
}

/** A side identified a piece, and in which ways. */
export interface TruthIdentified {
  t: "truth_identified";
  side: string;
  owner: string;
  piece: string;
  methods: string[];
}

/** A missile is on its way over the ground. */
export interface TruthMissile {
  t: "truth_missile";
  side: string;
  ship: string;
  weapon: string;
  at: Site;
  cell: Cell;
  lands: number;
}

/** A piece asked for the data of another: the answer, and whether a probe was used. */
export interface TruthProbed {
  t: "truth_probed";
  side: string;
  ship: string;
  owner: string;
  target: string;
  outcome: Outcome;
  by_probe: boolean;
}

/** A shot of one ship at another, the arc it was made through, and the damage it did. */
export interface TruthShot {
  t: "truth_shot";
  side: string;
  ship: string;
  weapon: string;
  owner: string;
  target: string;
  damage: number;
  dice: number[];
  arc?: Arc | null;
}

/** A side gained, identified or lost a piece on a surface map. */
export interface TruthToken {
  t: "truth_token";
  side: string;
  owner: string;
  piece: string;
  how: string;
}

/** The whole truth of a match, for `omni` alone. */
export interface TruthView {
  t: "truth";
  stage: Stage;
  board: Board;
  pieces?: PieceView[];
  ground?: UnitPieceView[];
  agents?: AgentPieceView[];
  missiles?: TrueMissileView[];
  record?: (InitiativeDrawn | ScanAnswered | RadarSeen | ShotSeen | NovaSeen | SideOut | PieceLost | Occupation | SweepSeen | JamSet | JamOver)[];
  points?: { [key: string]: number };
  nova_until?: number;
}

/** Turn the ship after it has drifted. */
export interface Turn {
  t: "turn";
  steps: number;
  ship: string;
}

/** How many arcs a turret indicator points to: one, or two opposite ones. */
export type TurretKind = "double" | "single";

/** An own turret and the standard arcs its indicator points at. */
export interface TurretView {
  id: string;
  kind: TurretKind;
  arcs: Arc[];
}

/** A ground unit of the truth, for `omni` alone. */
export interface UnitPieceView {
  side: string;
  id: string;
  name: string;
  type: string;
  variant: string;
  toughness: number;
  site?: Site | null;
  cell?: Cell | null;
  aboard?: string | null;
  hidden?: boolean;
  damage?: number;
  ecm?: boolean | null;
  held?: TokenHolding[];
  fate?: Fate;
}

/** Wait for a quick match no longer. */
export interface Unquick {
  t: "unquick";
  id: number;
}

/** A displacement in squares a turn: dx to the east, dy to the south. */
export type Vector = [number, number];

/** Everything one audience knows of a match; `public` has no own ships. `record` is the public record of this turn, `points` the tally that follows from what this audience knows; `points_up_to` add to it at most, for what it destroyed and others may have damaged too. A side that `leaves_free` gives no points for own ships that leave the map. `zone` are the boxes in which an own ship may be deployed in turn 1, `areas` the cells on which a ground unit may be stationed then. `surfaces` are the maps seen or remembered, `missiles` the own ones on their way over the ground. `alerts` are the places near which agents of others are, `found` and `spied` what searches and spies found out, `items` those of own objectives and `strike` a standing order. Passive detection fails in DETECT in every turn to `nova_until`. */
export interface View {
  t: "side";
  audience: string;
  stage: Stage;
  board: Board;
  own?: OwnView[];
  contacts?: ContactView[];
  record?: (InitiativeDrawn | ScanAnswered | RadarSeen | ShotSeen | NovaSeen | SideOut | PieceLost | Occupation | SweepSeen | JamSet | JamOver)[];
  objectives?: ObjectiveView[];
  leaves_free?: boolean;
  points?: number;
  points_up_to?: number;
  zone?: string[];
  nova_until?: number;
  ground?: GroundView[];
  agents?: AgentView[];
  surfaces?: SurfaceView[];
  missiles?: MissileView[];
  areas?: AreaView[];
  alerts?: AlertView[];
  found?: FoundView[];
  spied?: SpyView[];
  items?: ItemView[];
  strike?: Strike;
  cloak_rules?: CloakRules;
}

/** What an own volley is: its missiles, where it was sent, and how often it has moved. A `cold` one drifted in its first turn. After `movements` of 3 it is gone. */
export interface VolleyView {
  missiles: number;
  aim: Square;
  cold?: boolean;
  movements?: number;
}

/** Walk to an adjacent environs of the same planet; `ship` is the agent's own id. */
export interface Walk {
  t: "walk";
  environs: number;
  ship: string;
}

/** Follow a feed: `public`, `omni`, `caster`, or the letter of a side for its own view. `have` is the last sequence number received. A private match takes its `code` as well. */
export interface Watch {
  t: "watch";
  match: string;
  feed: string;
  have?: number | null;
  code?: string | null;
  id: number;
}

/** The answer to `watch`: the feed and its delay; then frames, from a keyframe on. */
export interface Watching {
  t: "watching";
  id: number;
  match: string;
  feed: string;
  card: ScenarioCard;
  delay_turns?: number;
  delay_s?: number;
}

/** The arcs through which a working weapon of a ship fires now; none: it fires all around. */
export interface WeaponArcs {
  weapon: string;
  arcs?: Arc[];
}

/** A weapon of a class, for the catalogue. */
export interface WeaponClass {
  id: string;
  kind: string;
  rank?: number;
  arc?: string | null;
  turret?: string | null;
  needs?: string | null;
}

/** What a weapon is; its value is the word on the wire and in data files. */
export type WeaponKind = "beam" | "cap" | "fighter" | "k_gun" | "lance" | "leech" | "mkp" | "msl" | "needle" | "nova_gun" | "pulser" | "salvo_missile" | "scap" | "scattergun" | "spicule" | "stinger" | "submunition" | "torpedo";

/** An own weapon: `rank` is the class where it has one, of a volley its missiles. At most one of arc and turret is set; neither for what needs no arc: fighters and missiles attack all around, a launcher and a nova gun ask for no target. `needs` names what else the target must be: in front, behind or flanking. A weapon that is `spent` had one shot and no longer works. A capital weapon has its `damage` at short, medium, long and extreme range. */
export interface WeaponView {
  id: string;
  kind: WeaponKind;
  rank?: number;
  arc?: Arc | null;
  turret?: string | null;
  needs?: Relation | null;
  works?: boolean;
  spent?: boolean;
  damage?: [number, number, number, number] | null;
}

/** The weather over a surface map, from the best sight to the worst. */
export type Weather = "clear" | "heavy" | "heavy_fog" | "light" | "moderate" | "storm";

/** The answer to `hello`: who the caller is. `time_ms` is the server's clock. */
export interface Welcome {
  t: "welcome";
  id: number;
  v: number;
  name: string;
  token: string;
  time_ms: number;
  limits: Limits;
  bots?: string[];
}
