// One seat on a server: commands with their answers, posts in their order, and coming back after a
// lost line. It knows the protocol from PROTOCOL.md; its types are made of the same classes as that.

import { decode, encode } from "@msgpack/msgpack";
import { WebSocket } from "ws";

import type { ClientMessage, Frame, News, Over, Resumed, ServerMessage, Welcome } from "../../../protocol/schema/messages.js";

export type Answer = Extract<ServerMessage, { id: number }>;
export type Post = Frame | News | Over;

type Unnumbered<Message> = Message extends ClientMessage ? Omit<Message, "id"> : never;
export type Command = Unnumbered<ClientMessage>;

interface Waiting {
  message: ClientMessage;
  settle: (answer: Answer) => void;
}

const TRIES = 20;

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export class Line {
  token: string | undefined;
  lost = 0;
  private match: string | undefined;
  private have = 0;
  private last = 0;
  private socket: WebSocket | undefined;
  private isLeaving = false;
  private readonly waiting = new Map<number, Waiting>();
  private readonly posts: Post[] = [];
  private wake: () => void = () => undefined;

  constructor(private readonly url: string) {}

  /** Connect and say hello: with the token of an earlier hello one is the same person again. */
  async open(): Promise<void> {
    const socket = new WebSocket(this.url, "sunglare.v1", { perMessageDeflate: false });
    await new Promise<void>((done, failed) => {
      socket.once("open", done);
      socket.once("error", failed);
    });
    socket.on("error", () => undefined); // A close follows, which is where it is seen to.
    socket.on("message", (data: Buffer) => this.hear(decode(data) as ServerMessage));
    socket.on("close", () => void this.comeBack());
    this.socket = socket;
    const token = this.token === undefined ? {} : { token: this.token };
    const welcome = (await this.ask({ t: "hello", v: 1, client: "sample", bot: true, ...token })) as Welcome;
    this.token = welcome.token;
  }

  /** Send a command and return its answer; what came too soon is sent again when it may be. */
  async ask(command: Command): Promise<Answer> {
    const message = { ...command, id: ++this.last } as ClientMessage;
    for (;;) {
      const answer = await new Promise<Answer>((settle) => {
        this.waiting.set(message.id, { message, settle });
        this.send(message);
      });
      if (answer.t !== "refused" || !answer.retry_ms) return answer;
      await pause(answer.retry_ms);
    }
  }

  /** Return the next post; of frames that have waited the newest, which replaces the older ones. */
  async next(): Promise<Post> {
    while (this.posts.length === 0) await new Promise<void>((done) => (this.wake = done));
    const post = this.posts.shift() as Post;
    return post.t === "frame" && this.posts[0]?.t === "frame" ? this.next() : post;
  }

  /** From now on a lost line is taken up again, at the last post of this match. */
  sitIn(match: string): void {
    this.match = match;
  }

  leave(): void {
    this.isLeaving = true;
    this.socket?.close();
  }

  private send(message: ClientMessage): void {
    // What is said to a line that is lost is said again on the next one.
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(encode(message));
  }

  private hear(message: ServerMessage): void {
    switch (message.t) {
      case "frame":
      case "news":
      case "over":
        if (message.seq > 0 && message.seq <= this.have) return; // Heard before the line was lost.
        this.have = Math.max(this.have, message.seq);
        this.posts.push(message);
        this.wake();
        return;
      case "bye":
        console.error(`bye: ${message.text}`);
        return;
      case "change": // Of the compact form alone, which is not spoken here.
        return;
      default:
        this.waiting.get(message.id)?.settle(message);
        this.waiting.delete(message.id);
    }
  }

  private async comeBack(): Promise<void> {
    if (this.isLeaving || this.match === undefined) return;
    this.lost += 1;
    const unanswered = [...this.waiting.values()].filter(({ message }) => "match" in message && message.t !== "resume");
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      try {
        await this.open();
        break;
      } catch (fault) {
        if (attempt === TRIES) throw fault;
        await pause(100 * attempt);
      }
    }
    const answer = (await this.ask({ t: "resume", match: this.match, have: this.have })) as Answer;
    if (answer.t !== "resumed") throw new Error(`not resumed: ${JSON.stringify(answer)}`);
    if ((answer as Resumed).kind === "reset") this.have = 0; // One frame follows, in place of all.
    // Each with its own number: what was done already is answered as before, and not done twice.
    for (const { message } of unanswered) this.send(message);
  }
}
