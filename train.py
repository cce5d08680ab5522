"""Train a player of a Rummy game by self-play, and measure it.

    python train.py                                     # under ten minutes on two cores
    python train.py --run runs/three --rules num_players=3 --minutes 60
    python train.py --resume runs/three                 # go on after a stop of any kind

The algorithm is MaskablePPO of sb3-contrib. Episodes are hands; the reward is the score of the hand
less the others' over 100, paid out early by shaping (see `rummyzoo.envs.learner`). The run folder
holds everything: args.json, versions.json, curve.csv and .png, tensorboard/, checkpoints/,
policy.safetensors (play it with rummyzoo.agents.load), result.json and result.txt, and a game of
it as game.txt and game.jsonl (look at it with rummyzoo replay).
"""

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import torch
import tyro
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from rummyzoo.agents import load
from rummyzoo.agents.commands import Stopped, WrongInput, refusing
from rummyzoo.agents.evaluate import duel, tabulate
from rummyzoo.agents.learned import make_network, policy_bytes
from rummyzoo.agents.opponents import shares
from rummyzoo.agents.runs import parse_options, record_game, versions, write
from rummyzoo.agents.sb3 import RummyVecEnv
from rummyzoo.agents.selfplay import NetworkPolicy, OpponentPool, SmallBuffer, Watch, imitate
from rummyzoo.envs.games import load_game
from rummyzoo.envs.setting import setting


@dataclass
class Args:
    """Train a player of a Rummy game."""

    game: str = "rummy500"
    """The name of the game."""
    preset: str | None = None
    """A named set of options of the game."""
    rules: tuple[str, ...] = ()
    """Options of the game: --rules num_players=3 jokers_per_deck=0"""
    run: Path | None = None
    """The folder of the run; by default a new one in runs/."""
    resume: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Go on with the run in this folder, with its arguments; the limits may be set anew, which a
    run that is finished needs."""
    seed: int = 1
    """Of all chance. With --steps (and one thread) the same seed gives the same player."""
    minutes: float = 7.5
    """How long to train, without the final evaluation; 0 for no limit."""
    steps: int = 0
    """How many decisions to train for; 0 for no limit."""
    imitate: int = 0
    """Decisions of the greedy player to imitate first; 0 to learn from scratch."""
    opponents: tuple[str, ...] = ("self=0.8", "greedy=0.2")
    """Who the learner meets, and in what shares; "self" is a pool of its own last snapshots."""
    network: str = "suits"
    """The network: "suits" shares its weights between the suits, "mlp" is a plain one."""
    hidden: int = 128
    """The width of its two hidden layers (256 is about as large for "mlp")."""
    num_envs: int = 256
    """Tables played at once."""
    rollout: int = 40
    """Decisions at each table between updates."""
    batch: int = 2048
    """Decisions in a gradient step."""
    epochs: int = 2
    """How often each decision is learned from."""
    rate: float = 1e-3
    """The learning rate at the beginning; it falls linearly to a tenth of this."""
    gae_lambda: float = 0.5
    """How far the advantages look ahead; small, because shaped rewards come early."""
    entropy: float = 0.01
    """The weight of the entropy, which keeps the policy from settling too soon."""
    threads: int = 1
    """Threads of PyTorch."""
    eval_every: float = 60.0
    """Seconds of training between the evaluations of the learning curve."""
    eval_deals: int = 250
    """Deals in each of these, against random and greedy; a deal is played once from each seat."""
    final_deals: int = 2000
    """Deals in the evaluation at the end."""
    final_matches: int = 500
    """Deals for whole matches at the end (if the rules have a target)."""
    checkpoint_every: float = 60.0
    """Seconds between checkpoints."""


LIMITS = {"minutes", "steps", "resume", "threads", "eval_every", "checkpoint_every"}


def read_args(argv: list[str] | None = None) -> Args:
    """The arguments; those of a run that is to be resumed come from its folder."""
    args = tyro.cli(Args, args=argv)
    if args.resume is not None:
        if not (args.resume / "args.json").is_file():
            raise WrongInput(f"there is no run in {args.resume}: it has no args.json")
        try:
            saved = json.loads((args.resume / "args.json").read_text())
            saved |= {name: tuple(value) for name, value in saved.items() if type(value) is list}
            kept = Args(**saved | {"run": args.resume, "resume": args.resume})
        except (ValueError, TypeError):
            raise WrongInput(f"{args.resume}/args.json is damaged, or of another version") from None
        args = tyro.cli(Args, args=argv, default=kept)
        before = asdict(kept)
        changed = [n for n, v in asdict(args).items() if v != before[n] and n not in LIMITS]
        if changed:
            raise WrongInput(f"a run is resumed with its own {', '.join(changed)}")
        return args
    args.run = args.run or Path("runs") / time.strftime(f"{args.game}-%Y%m%d-%H%M%S")
    if args.run.is_dir() and any(args.run.iterdir()):
        raise WrongInput(f"{args.run} is not empty; --resume it, or name another with --run")
    return args


def check(args: Args) -> None:
    """Refuse numbers that make no sense, before anything is made."""
    least = dict.fromkeys(("num_envs", "rollout", "epochs", "hidden", "threads", "eval_deals"), 1)
    least |= {"batch": 2, "seed": 0, "minutes": 0, "steps": 0, "imitate": 0, "final_matches": 0}
    for name, low in (least | {"final_deals": 1, "entropy": 0, "gae_lambda": 0}).items():
        value = getattr(args, name)
        if not low <= value < 2**32:
            option = "--" + name.replace("_", "-")
            what = "less than 2**32" if value >= 2**32 else f"at least {low}"
            raise WrongInput(f"{option} {value} is not possible; {what}")
    if not 0 < args.rate < 1:
        raise WrongInput(f"--rate {args.rate} is not possible; a number between 0 and 1")
    if not args.minutes and not args.steps:
        raise WrongInput("set --minutes or --steps, or the training would never end")


def is_measured(run: Path, decisions: int) -> bool:
    """Whether a run has results, of the player after so many decisions."""
    try:
        return bool(json.loads((run / "result.json").read_text())["decisions"] == decisions)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def how_to_go_on(args: Args, decisions: int, seconds: float) -> str:
    """The sentence for a run that has reached its limits."""
    more = []
    if args.minutes and seconds >= 60 * args.minutes:
        more.append(f"--minutes {2 * args.minutes:g}")
    if args.steps and decisions >= args.steps:
        more.append(f"--steps {2 * args.steps}")
    return (
        f"{args.run} is finished, after {decisions:,} decisions and {seconds:.0f} s; to train it "
        f"further, raise its limit: python train.py --resume {args.run} {' '.join(more)}"
    )


def main(argv: list[str] | None = None) -> None:
    """Train, measure, and write it all down."""
    args = read_args(argv)
    check(args)
    run: Any = args.run
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)

    # The game, and the tables to learn at: there an episode is a hand, not a match.
    with refusing():
        rules = load_game(args.game).make_rules(args.preset, **parse_options(args.rules))
        where = setting(args.game, rules)
        opponents = dict(shares([*parse_options(args.opponents).items()]))
        first = {name: share for name, share in opponents.items() if name != "self"} or "random"
        hands: Any = rules._asdict() | {"target": None}
        tables = RummyVecEnv(
            args.game, args.num_envs, opponents=first, shaping=True, skip_forced=True, **hands
        )
        network = make_network(where, args.network, args.hidden)
        if args.resume is None:
            plain = asdict(args) | {"run": None}
            write(run / "args.json", json.dumps(plain, indent=2, default=str))
            write(run / "versions.json", json.dumps(versions(), indent=2))

    # The player, its opponents, and who keeps the time.
    pool = OpponentPool(opponents)
    watch = Watch(run, where, pool, args)
    model = MaskablePPO(
        NetworkPolicy,
        tables,
        policy_kwargs={"network": network},
        rollout_buffer_class=SmallBuffer,
        n_steps=args.rollout,
        batch_size=args.batch,
        n_epochs=args.epochs,
        learning_rate=lambda _: args.rate * (1 - 0.9 * watch.progress),
        gamma=1.0,
        gae_lambda=args.gae_lambda,
        ent_coef=args.entropy,
        seed=args.seed,
        device="cpu",
    )
    model.set_logger(configure(str(run / "tensorboard"), ["tensorboard"]))

    # Learn.
    if args.resume is not None:
        with refusing():
            for sentence in watch.resume(model):
                print(sentence)
        if is_measured(run, model.num_timesteps) and watch.progress >= 1:
            print(how_to_go_on(args, model.num_timesteps, watch.seconds))
            return
        print(f"going on after {model.num_timesteps:,} decisions, {watch.seconds:.0f} s")
    if args.imitate and model.num_timesteps == 0:
        imitate(network, where, decisions=args.imitate, seed=args.seed)
    tables.seed(args.seed + model.num_timesteps)
    watch.init_callback(model)
    try:
        if watch.progress < 1:
            model.learn(10**12, [watch, pool], reset_num_timesteps=model.num_timesteps == 0)
    except KeyboardInterrupt:
        raise Stopped(f"stopped; go on with: python train.py --resume {run}") from None
    watch.evaluate()

    # Measure.
    results = []
    for rival in ("random", "greedy"):
        for deals, matches in ((args.final_deals, False), (args.final_matches, True)):
            if deals and not (matches and rules.target is None):
                print(f"playing {'matches' if matches else 'hands'} against {rival} ...")
                options = {"matches": matches, "seed": 2, **rules._asdict()}
                results.append(duel(watch.agent, rival, args.game, deals, **options))
    about = {"decisions": model.num_timesteps, "seconds": round(watch.seconds)}
    text = (
        f"{about['decisions']:,} decisions in {about['seconds']} s\n\n{tabulate(results)}\n\n"
        f"As strong as the others would be {100 / rules.num_players:.0f} % won; a tie counts as a "
        "share. Every deal is played from every seat.\n"
        "Points ahead: own score less the others', in a hand or in a match.\n"
    )
    whole = about | {"duels": [found._asdict() for found in results]}
    write(run / "policy.safetensors", policy_bytes(watch.agent, **about))
    write(run / "result.json", json.dumps(whole, indent=2))
    write(run / "result.txt", text)
    greedy = load("greedy", args.game, rules)
    seats = [watch.agent] + [greedy] * (int(rules.num_players) - 1)
    write(run / "game.txt", record_game(run / "game.jsonl", where, seats, args.seed))
    player = str(run / "policy.safetensors")
    print(f"\n{text}\nAll of it is in {run}. To use the player:")
    print(f"rummyzoo.agents.load({player!r}, {args.game!r})")


if __name__ == "__main__":
    try:
        main()
    except WrongInput as error:
        print(error, file=sys.stderr)
        sys.exit(error.status)
