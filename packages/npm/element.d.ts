/** A moment of virtual time, microseconds. */
type Microseconds = number;

/** What happened, in the order of its numbers: `kind` says what, and which other fields there are. */
export interface Fact {
  seq: number;
  at_us: Microseconds;
  kind: string;
  [field: string]: unknown;
}

/** Where the open lesson is. */
export interface LessonState {
  id: string;
  /** The name of the beat or task; null at the end. */
  beat: string | null;
  /** From 1. */
  index: number;
  count: number;
  phase: "preparing" | "says" | "asks" | "shows" | "told" | "does" | "over";
  /** The stage shows a run of the viewer's own. */
  beside: boolean;
}

/** What the event `state` tells. */
export interface State {
  time_us: Microseconds;
  /** The number of the milestone that was passed last. */
  turn: number;
  playing: boolean;
  /** Somebody sees it. */
  shown: boolean;
  /** Virtual over real time. */
  speed: { times: number; of: number };
  scenario: string | null;
  beside: string | null;
  seed: number;
  events: number;
  leader: number | null;
  epoch: number;
  committed: number;
  violations: number;
  lesson: LessonState | null;
}

/** What `state()` answers: `docs/api.md` says more of each field. */
export interface WholeState extends Omit<State, "violations"> {
  facts: number;
  actions: number;
  known_events: number;
  futures: number;
  last_committed: string | null;
  narration: { title: string; because: string | null; seq: number | null; shown_ms: number } | null;
  violations: { property: string; at_us: Microseconds; seq: number; servers: number[]; evidence: unknown }[];
  double_holders: Record<string, unknown>[];
  servers: {
    id: number;
    status: "running" | "paused" | "crashed";
    role: string | null;
    phase: string | null;
    serving: boolean;
    accepted_epoch: number | null;
    current_epoch: number | null;
    last_logged: string | null;
    last_processed: string | null;
  }[];
}

/** Something that is done to the ensemble, as in `{ do: "crash", server: 2 }`. */
export interface Action {
  do: string;
  [field: string]: unknown;
}

/** What the attributes say: which run, from when, how it looks. */
export interface Attributes {
  scenario?: string;
  lesson?: string;
  /** A beat's name, or its number from 1. */
  beat?: string | number;
  params?: string;
  beside?: string;
  rule?: string;
  seed?: string | number;
  run?: string;
  /** It opens at this milestone. */
  step?: string | number;
  /** It opens at this moment, ms of virtual time. */
  at?: string | number;
  t?: string | number;
  paused?: boolean | "";
  autoplay?: boolean | "";
  controls?: "none" | "minimal" | "full";
  panel?: "proposals" | "znodes" | "sessions" | "console" | "properties" | "logs" | "inspect" | "chart" | "search" | "recipe" | "none";
  speed?: "1/200" | "1/100" | "1/50" | "1/30" | "1/10" | "1/5" | "1/2" | "1" | "5" | "20" | "100";
  lang?: string;
  theme?: "light" | "dark" | "auto";
  keys?: "deck" | "page";
  facts?: "told" | "all" | "none";
  src?: string;
  title?: string;
  loading?: "lazy" | "eager";
}

/** The `detail` of each event. */
export interface Events {
  ready: { page: string; state: State };
  fact: { facts: Fact[]; skipped: number };
  step: { turn: number; at_us: Microseconds; facts: Fact[]; said: ({ what: string; why: string | null } | null)[] };
  state: State;
  beat: { lesson: string; id: string | null; index: number };
  answer: { lesson: string; beat: string; given: unknown; verdict: "right" | "near" | "other" | "shown" | "done"; idea: string | null };
  goal: { lesson: string; beat: string; task: string };
  key: { key: string; code: string };
  error: { message: string };
}

/** Handlers of the events, as React and Vue name them. */
export type Handlers = { [Name in keyof Events as `on${Capitalize<Name>}`]?: (event: CustomEvent<Events[Name]>) => void };

/** The element. Each method answers with a promise, which is rejected with a sentence where something is wrong. */
export interface ZabScopeElement extends HTMLElement {
  play(): Promise<void>;
  pause(): Promise<void>;
  /** On by milestones, or by events. */
  step(count?: number, by?: "turn" | "event"): Promise<void>;
  stepBack(count?: number, by?: "turn" | "event"): Promise<void>;
  /** To a moment of virtual time, ms. */
  seek(ms: number): Promise<void>;
  act(action: Action): Promise<void>;
  /** A scenario's name, a run or a lesson as an object, or a link's part from `#` on. */
  load(what: string | object): Promise<void>;
  beat(id: string | number): Promise<void>;
  answer(value?: unknown): Promise<void>;
  reveal(): Promise<void>;
  link(): Promise<string>;
  state(): Promise<WholeState>;
  facts(since?: number): Promise<{ facts: Fact[]; next: number }>;

  scenario: string | null;
  lesson: string | null;
  params: string | null;
  beside: string | null;
  rule: string | null;
  seed: string | null;
  run: string | null;
  at: string | null;
  t: string | null;
  controls: string | null;
  panel: string | null;
  speed: string | null;
  theme: string | null;
  keys: string | null;
  src: string | null;
  paused: boolean;
  autoplay: boolean;

  addEventListener<Name extends keyof Events>(
    type: Name, listener: (this: ZabScopeElement, event: CustomEvent<Events[Name]>) => unknown, options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void;
}

declare global {
  interface HTMLElementTagNameMap {
    "zab-scope": ZabScopeElement;
  }
}
