// What a module answers to the questions of the tests: in Node (`node.js`), and in a Worker of a browser (`worker.js`).

/**
 * @param {string} sources where the browser code of modules is
 * @param {BufferSource} code
 * @param {any} card
 * @param {ArrayBuffer | null} file a trained network
 * @param {any[]} questions
 */
export async function answers(sources, code, card, file, questions) {
  const [{ load }, { Search, nodesFor }, opponents, { readNetwork }] = await Promise.all(
    ["engine", "search", "opponents", "network"].map((name) => import(`${sources}/${name}.js`)),
  );
  const engine = await load(code, card), network = file && (await readNetwork(file));

  const reached = ({ words, actions = [] }) =>
    actions.reduce((state, action) => engine.play(state, action), engine.create(words.map(BigInt)));
  const given = ({ seed, most, trained }) => ({ seed: BigInt(seed), most, network: trained ? network : null });
  const summed = (evaluations) => evaluations.map((e) => [e.move, e.value, e.visits, e.proven, e.points, e.line]);

  const asked = {
    async playouts(question) {
      const { states, plies } = engine.playouts(reached(question), question.games, BigInt(question.seed));
      return [[...plies], await digest([states])];
    },
    perft: (question) => Number(engine.perft(reached(question), question.depth)),
    transcript(question) {
      let state = reached(question);
      const plies = question.moves.map((move) => {
        const seen = ply(engine, state);
        state = engine.play(state, engine.action(state, move));
        return seen;
      });
      const winners = engine.returns(state).flatMap((worth, seat) => (worth > 0 ? [seat] : []));
      return { plies: [...plies, ply(engine, state)], scores: engine.scores(state), winners };
    },
    async position(question) {
      const state = reached(question);
      return [[...state], String(engine.key(state)), engine.ending(state)];
    },
    async search(question) {
      const { seed, simulations, noise = 0, overlooks = 0, trained = false, only = null, then = [] } = question;
      const told = { seed: BigInt(seed), noise, overlooks, only, nodes: nodesFor(engine, simulations) };
      let state = reached(question);
      const search = new Search(engine, state, { ...told, network: trained ? network : null });
      const judged = search.judge();
      for (let done = 0; done < simulations; done += 100) search.run(Math.min(100, simulations - done));
      const found = [judged, await digest(tree(search)), summed(search.evaluations())];
      for (const action of then) {
        state = engine.play(state, action);
        found.push(search.follow(state));
        search.run(simulations);
        found.push(await digest(tree(search)), summed(search.evaluations()));
      }
      search.close();
      return found;
    },
    choose: (question) => opponents.choose(engine, reached(question), question.level, given(question)),
    think: (question) => summed(opponents.think(engine, reached(question), question.level, given(question))),
    solve: (question) => summed(opponents.solve(engine, reached(question))),
  };
  const found = [];
  for (const question of questions) found.push(await asked[question.ask](question));
  return found;
}

function ply(engine, state) {
  const moves = engine.isOver(state) ? [] : engine.moves(state);
  return [engine.isOver(state) ? null : engine.mover(state), moves.length, crc32(moves.join("\n"))];
}

/** The bytes of all arrays of a search's tree, as far as they are in use. */
function tree(search) {
  const { memory, card } = search.engine, { seats, look } = search;
  const at = (name) => new DataView(memory.memory.buffer, look + card.look.fields[name][0]).getUint32(0, true);
  const used = Number(memory.view(BigInt64Array, at("size"), 1)[0]);
  const sizes = { family: 8, action: 2, mover: 1, settled: 1, visits: 8, prior: 4, worth: 8 * seats, expect: 4 * seats };
  return Object.entries(sizes).map(([name, size]) => memory.bytes(at(name), used * size).slice());
}

async function digest(parts) {
  const found = await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer());
  return [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function crc32(text) {
  let crc = -1;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  }
  return (crc ^ -1) >>> 0;
}
