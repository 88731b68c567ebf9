"""What pages say that no template says: problems by their code, and the words of scripts."""

from __future__ import annotations

from typing import Any

from empedocles.language import mark as _
from empedocles.language import translate

GUEST = _("Guest")

# By code, except those whose message says more than words made beforehand could: illegal moves, wrong names and values.
PROBLEMS = {
    "late": _("Something else has happened meanwhile."),
    "not-your-turn": _("It is not your turn."),
    "over": _("The match is over."),
    "not-over": _("The match is not over yet."),
    "waiting": _("Not all seats are taken yet."),
    "not-seated": _("Only players at this table can do that."),
    "bad-invite": _("This link was used already, or is not for this table."),
    "no-seat": _("No seat is open at this table."),
    "no-offer": _("That is not offered any more."),
    "asked": _("You have asked already; the others have yet to answer."),
    "agreed": _("You have agreed already; the others have yet to answer."),
    "revealed": _("Chance has spoken since: that cannot be taken back."),
    "nothing-to-undo": _("There is nothing to take back."),
    "no-person": _("A bot does not agree to a draw."),
    "no-draw": _("A draw can be agreed between two sides only."),
    "no-claim": _("Among more than two, nobody wins because one has left: let a bot play on."),
    "not-gone": _("The player was here only a moment ago."),
    "not-alone": _("There are no hints when people play each other."),
    "in-progress": _("Others are still playing there: resign first."),
    "bad-seats": _("These are not the seats of this game."),
    "bad-start": _("That position is of another game, or has other options."),
    "bad-clock": _("A clock needs time."),
    "bad-name": _("A name has 1 to 40 characters."),
    "bad-token": _("Nobody has this link any more."),
    "no-player": _("Say who you are first."),
    "no-match": _("The page or the game does not exist, or was deleted."),
    "not-found": _("The page or the game does not exist, or was deleted."),
    "no-analysis": _("This analysis is not known here any more."),
    "no-print": _("There is nothing to print of this game."),
    "unknown-lesson": _("There is no such lesson."),
    "empty-record": _("There is no match in this record."),
    "too-long": _("That is too long."),
    "too-large": _("That is too large."),
    "foreign-origin": _("That was asked for by another site."),
    "unknown-command": _("The request could not be understood."),
    "bad-message": _("The request could not be understood."),
    "bad-request": _("The request could not be understood."),
    "too-many-requests": _("That was a bit quick. Try again in a moment."),
    "too-many-players": _("Many new players have come from here. Try again later."),
    "too-many-tables": _("You have made many tables. Try again later."),
    "too-many-open": _("Several of your tables still wait for somebody. Let them fill, or delete one."),
    "crowded": _("Too many are watching just now. This page tries again by itself."),
    "replaced": _(
        "This table is open in too many windows, so this one has stopped. It goes on when you come back to it."
    ),
    "no-hello": _("The request could not be understood."),
    "busy": _("Too much is being made here just now. Try again in a moment."),
    "took-too-long": _("That took too long and was stopped."),
    "worker-died": _("Something went wrong here; nothing was lost."),
    "banned": _("This server is closed to you."),
    "not-allowed": _("The request could not be understood."),
    "unknown-host": _("This server does not answer to that name."),
    "unreachable": _("The server cannot be reached. Try again in a moment."),
    "broken-game": _("The rules of this game are broken: it cannot be played on."),
    "failed": _("Something went wrong here; nothing was lost."),
}

# How a match ended otherwise than by its rules; said after who has won.
ENDINGS = {
    "resign": _("by resignation"),
    "time": _("on time"),
    "agreed": _("by agreement"),
    "claim": _("because the other side left"),
}


def of_script(words: dict[str, str], language: str) -> dict[str, Any]:
    """What a page's script says, and how it tells problems."""
    said = {name: translate(text, language) for name, text in words.items()}
    return said | {"problems": {code: translate(text, language) for code, text in PROBLEMS.items()}}


SCRIPTS = {
    "guest": GUEST,
    "offline": _("The connection is lost; trying again …"),
    "yourMove": _("Your move"),
    "waitingFor": _("{name} is thinking …"),
    "waitingPerson": _("It is {name}'s turn"),
    "waitingSeats": _("Waiting for players"),
    "watching": _("You are watching."),
    "noMoveThere": _("No move begins there."),
    "cannotFollow": _("That cannot follow what you have chosen."),
    "done": _("Done"),
    "play": _("Play it"),
    "cancel": _("Cancel"),
    "earlier": _("An earlier position"),
    "wins": _("{names} wins"),
    "win": _("{names} win"),
    "youWin": _("You win"),
    "youLose": _("You lose"),
    "draw": _("A draw"),
    **{f"by-{reason}": text for reason, text in ENDINGS.items()},
    "level": _("level {n}"),
    "teams": _("Playing together: {teams}."),
    "backToGame": _("Back to the game"),
    "accept": _("Accept"),
    "decline": _("Decline"),
    "sendLinks": _("Send each player a link; the match begins when all have come."),
    "seatFree": _("A seat is free at this table."),
    "sit": _("Sit down"),
    "invites": _("{host} invites you to a game of {game}."),
    "aGame": _("A game of {game}."),
    "yourSeat": _("Your seat: {seat}."),
    "review": _("Review the match"),
    "rematch": _("Rematch"),
    "toRematch": _("To the rematch"),
    "nextOpponent": _("Next opponent"),
    "checkShuffles": _("Check the shuffles"),
    "open": _("open seat"),
    "you": _("you"),
    "here": _("connected"),
    "away": _("not connected"),
    "replaced": _("A bot plays on for {name}."),
    "offersDraw": _("{name} offers a draw."),
    "offersBack": _("{name} would like to take their last move back."),
    "undone": _("That undoes {n} moves: {moves}."),
    "drawOffered": _("You have offered a draw."),
    "backAsked": _("You have asked to take your move back."),
    "drawDeclined": _("Your offer of a draw was declined."),
    "backDeclined": _("Your move stands: taking it back was declined."),
    "clicking": _("Click: {what}"),
    "hinting": _("Thinking about a hint …"),
    "hint": _("Hint: {move}"),
    "copied": _("Copied."),
    "saved": _("Saved."),
    "checking": _("Checking …"),
    "fair": _("All {n} draws of chance follow from the secret that was fixed before the first move."),
    "unfair": _("Draw {ply} does not follow from the secret!"),
    "badSecret": _("The secret is not the one that was promised at the start!"),
    "noCheck": _(
        "Browsers compute the promise over HTTPS or on this machine only; the {n} draws follow from the secret."
    ),
    "days": _("{n} d"),
    "hours": _("{n} h"),
    "gone": _("{name} has been away for a while."),
    "claim": _("Claim the win"),
    "letBot": _("Let a bot play on"),
    "link": _("Link for {seat}"),
    "copy": _("Copy"),
    "share": _("Share"),
    "reallyDelete": _("Delete this game for ever?"),
    "reallyDeleteAll": _("Delete all your finished games for ever?"),
    "boardLabel": _("Board. Arrow keys move between what can be chosen, Enter chooses, Escape takes back."),
    "notifyDenied": _("The browser does not allow notices from this page."),
}
