// What server and pages tell each other; beside each type is the Python that says it. A test compares these types with
// what a server really says, `make types` compares the pages with them.
import type { Film, Frame } from "../../play/static/picture.js";

export type Choice = [move: string, path: string]; // views.choices: groups of targets joined by |, targets by blanks
export type Layout = [width: number, height: number];

// ── Anywhere ──

export interface Problem { // problems.py
  code: string;
  message: string;
  rule?: string | null; // of an illegal move
  move?: string; // that one
  number?: number; // of now, where a request came late
  retry?: number; // seconds after which to try again
}

export interface Player { // api.py
  id: string;
  name: string;
}

// ── A new table ──

export interface NewFacts { // site.new_table
  seats: Record<number, string[]>; // their names, by how many there are
  sides: Record<number, number[]>;
  seating: string; // the option that says how many; "" where it is always the same number
  guest: string;
}

// ── A table ──

export interface TableFacts { // site.table
  id: string;
  game: string;
  title: string;
  language: string;
  name: string;
  host: string; // who has made the table and sits there
  seats: string[];
  sides: number[];
  opponents: string[];
  chance: boolean;
  sizes: { wide: Layout; tall: Layout };
}

export interface Seat { // views._seat
  kind: "person" | "bot" | "open";
  name: string;
  level: number | null;
  link: boolean;
  mine: boolean;
}

export interface Clock { // tables.Clock
  kind: "none" | "minutes" | "days";
  base: number;
  increment: number;
}

export interface TableState { // views.state
  id: string;
  game: string;
  title: string;
  status: "waiting" | "playing" | "over";
  number: number;
  plies: number;
  to_move: number | null;
  seats: Seat[];
  winners: number[] | null;
  created: number;
  options: Record<string, string | number>;
  position: string;
  moves: string[];
  seat_names: string[];
  mine: number[];
  alone: boolean;
  your_turn: boolean;
  clock: Clock;
  left: number[] | null;
  here: boolean[];
  gone_in: number | null;
  offers: Partial<Record<"draw" | "back", number>>;
  asked: number | null; // the ply to go back to
  consents: number[];
  ending: "resign" | "time" | "agreed" | "claim" | null;
  scores: number[] | null;
  commitment: string;
  secret: string | null;
  next: string | null;
  imported: number;
}

export interface Made extends TableState { // api.create
  invites: Record<string, string>;
}

export interface LiveFrame extends Frame { // views.frame
  status: string[];
}

export interface StateMessage { // sockets.Reader._update
  kind: "state";
  state: TableState;
  frame: LiveFrame;
  kept: number;
  words: string[];
  movers: (number | null)[];
  choices: Choice[];
  picture?: string;
}

export interface FrameMessage { // sockets.Reader._show
  kind: "frame";
  frame: LiveFrame;
}

export interface PingMessage { // sockets.Reader._ping
  kind: "ping";
  here: boolean[];
}

export interface ProblemMessage extends Problem { // sockets.Reader._listen
  kind: "problem";
}

export type Heard = StateMessage | FrameMessage | PingMessage | ProblemMessage;

export interface Hello { // sockets.Hello
  kind: "hello";
  language: string;
  wide: boolean;
  overlays: string[];
  picture: boolean;
}

export interface Play { // sockets.Play
  kind: "play";
  number: number;
  move: string;
}

export interface Do { // sockets.Do
  kind: "do";
  number: number;
  what: string;
  text: string;
}

export interface Show { // sockets.Show
  kind: "show";
  ply: number;
}

export type Said = Hello | Play | Do | Show;

export interface Help { // helping.why; helping.leads without a rule
  rule?: string | null;
  message: string | null;
}

export interface Hint { // helping.hint
  move: string;
  words: string;
  arrows: string;
}

export interface Draws { // api.draws
  commitment: string;
  secret: string;
  draws: { ply: number; outcomes: string[]; move: string }[];
}

// ── Lessons ──

export interface LessonFacts { // lessons._facts
  game: string;
  name: string;
  choices: Choice[];
  names: Record<string, string>;
}

export interface Judgement { // lessons.judged
  verdict: "right" | "other" | "illegal" | "shown";
  words: string;
  rule: string | null;
  move?: string;
  said?: string;
  frame?: LiveFrame;
}

// ── Reviews ──

export interface ReviewFacts { // review_pages._facts
  id: string;
  game: string;
  language: string;
  plies: number;
  moves: string[];
  movers: (number | null)[];
  seats: string[];
  sides: number[];
  lines: string[];
  end: number[] | null;
  lead: number[] | null;
  marks: string[];
}

export interface Frames extends Film { // review.get_frames
  start: number;
  picture: string | null;
}

export interface PositionView { // review._position_view
  position: string;
  text: string;
  status: string[];
  moves: string[];
  words: string[];
  movers: (number | null)[];
  to_move: number | null;
  over: boolean;
  scores: number[] | null;
  frame: Frame;
  choices: Choice[];
  targets: Record<string, string>;
}

export interface Evaluation { // analyses.evaluation_view
  move: string;
  words: string;
  value: number;
  said: string;
  proven: boolean;
  points: number | null;
  line: [move: string, words: string][];
}

export interface Remark { // analyses.remark_view
  ply: number;
  seat: number;
  mark: string;
  lost: number;
  played: Evaluation;
  best: Evaluation;
}

export interface Analysis { // analyses.analysis_view
  id: string;
  total: number;
  known: number;
  done: boolean;
  failed: boolean;
  remarks: Remark[];
}
