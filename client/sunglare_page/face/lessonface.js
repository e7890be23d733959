// A lesson before its pupil: story, task, hint, what is said of the answer, and the way to the next
// one. The board, the pieces and the orders are those of a seat.

/** @import { JudgedLesson, LessonLine, Lessons, OpenedLesson } from 'wire' */
/** @import { Link } from '../watch/link.js' */
/** @import { SeatFace } from './seatface.js' */

import { Pupil } from '../seat/pupil.js';
import { writeFragment } from '../watch/fragment.js';
import { found } from './dom.js';

const SOLVED = 'That is it.';
const LAST = 'That was the last lesson.';

/** Shows one lesson at a time. */
export class LessonFace {
  #link;
  #face;
  #say;
  /** @type {Pupil | null} */
  #pupil = null;
  /** How often a lesson was opened or closed: what was asked for before that is not shown any more. */
  #turns = 0;

  /**
   * @param {Link} link
   * @param {SeatFace} face shows the position as that of a seat
   * @param {(sentence: string) => void} say
   */
  constructor(link, face, say) {
    this.#link = link;
    this.#face = face;
    this.#say = say;
    found('lesson-hint').onclick = () => this.#help();
  }

  /**
   * Give a lesson.
   * @param {string} lesson
   * @throws {RefusedError} if there is none of this name
   */
  async open(lesson) {
    const turn = (this.#turns += 1);
    const opened = /** @type {OpenedLesson} */ (await this.#link.ask('lesson', { act: 'open', lesson }));
    if (turn !== this.#turns) return;
    const pupil = new Pupil(this.#link, opened, {
      onJudged: (judged) => turn === this.#turns && this.#tell(opened.line, judged),
      onFrame: (frame) => turn === this.#turns && this.#face.hear(frame),
    });
    this.#pupil = pupil;
    this.#face.open(pupil);
    this.#show(opened);
    this.#face.hear(opened.frame);
    found('lesson-title').focus();
  }

  close() {
    this.#turns += 1;
    this.#pupil = null;
    found('lesson').hidden = true;
    found('field').dataset.lesson = 'false';
  }

  /** @param {OpenedLesson} opened */
  #show({ line, story, task }) {
    found('lesson').hidden = false;
    found('field').dataset.lesson = 'true';
    found('title').textContent = `Lesson ${line.number}: ${line.title}`;
    found('lesson-title').textContent = `Lesson ${line.number}: ${line.title}`;
    found('lesson-story').textContent = story;
    found('lesson-task').textContent = task;
    for (const id of ['lesson-said', 'lesson-idea']) found(id).textContent = '';
    found('lesson-said').classList.remove('solved');
    found('lesson-hint').hidden = false;
    found('lesson-next').hidden = true;
  }

  async #help() {
    try {
      const hint = await this.#pupil?.hint();
      if (hint) found('lesson-said').textContent = `${hint}.`;
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Say what the server says of an answer; once it is right, what it teaches, and where to go on.
   * @param {LessonLine} line
   * @param {JudgedLesson} judged
   */
  async #tell(line, { solved, said = '', idea = '' }) {
    found('lesson-said').classList.toggle('solved', solved);
    found('lesson-said').textContent = solved ? SOLVED : said;
    found('lesson-idea').textContent = idea;
    found('lesson-hint').hidden = solved;
    if (!solved) {
      found('lesson-said').scrollIntoView({ block: 'nearest' });
      return;
    }
    const turn = this.#turns;
    const told = /** @type {Lessons | null} */ (await this.#link.ask('lesson', { act: 'list' }).catch(() => null));
    if (turn !== this.#turns) return;
    const next = told?.lessons.find(({ number }) => number === line.number + 1);
    if (told && !next) found('lesson-said').textContent = `${SOLVED} ${LAST}`;
    found('lesson-next').hidden = !next;
    // The story below has come into sight meanwhile.
    found('lesson').scrollIntoView({ block: 'nearest' });
    if (next) found('lesson-next').setAttribute('href', writeFragment({ lesson: next.lesson }));
  }
}
