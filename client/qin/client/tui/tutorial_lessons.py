"""The course: a dozen lessons, from the first tile to the last pagoda."""

from __future__ import annotations

from qin.client.tui.tutorial_course import Goal, lesson
from qin.engine import Connected, Conquered, Expanded, Founded, Joined, Major, Reason

LESSONS = (
    lesson(
        "Your first tile",
        "Each turn you lay one tile on two free spaces. At least one half must lie beside a"
        " coloured space; any colour will do. Lay a tile.",
        """
        .  .  .  .  .  .  .
        .  .  .  .  .  .  V
        .  .  .  R  .  .  .
        .  .  .  .  .  .  .
        .  Y  .  .  .  B  .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RY YB RB",
        Goal(),
        keys="1 2 3 choose a tile, arrows move it, r turns it, Enter lays it. A + is where it may"
        " lie.",
        hint="Lay it beside a coloured space, on two free ones.",
        done="The tile lies. In a game you would now draw another one: you always hold three.",
    ),
    lesson(
        "Found a province",
        "Two or more connected spaces of one colour are a province. Who makes it owns it, and"
        " places a pagoda there. Lay a half beside the single space of its own colour.",
        """
        .  .  .  .  .  .  .
        .  .  .  .  .  .  V
        .  .  .  R  .  .  .
        .  .  .  .  .  .  .
        .  Y  .  .  .  B  .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RY YB RB",
        Goal(deeds=(Founded,)),
        keys="The line below the board tells what the tile would do. Tab goes to the next spot.",
        hint="Red has to touch red, yellow yellow, or blue blue.",
        done="You founded a province: one pagoda less in your hand. Whoever places all of them"
        " first wins.",
    ),
    lesson(
        "Two at once",
        "A tile has two halves, and each counts. One tile can found two provinces. Find a place"
        " for RB where red touches red and blue touches blue.",
        """
        .  .  .  .  .  .  .
        .  .  .  .  .  .  V
        .  .  .  .  .  .  .
        .  R  .  .  B  .  .
        .  .  .  .  .  .  .
        .  .  .  Y  .  .  .
        V  .  .  .  .  .  .
        """,
        "RB RY YB",
        Goal(deeds=(Founded, Founded)),
        keys="? asks for a hint: the best spot, by pagodas gained less pagodas given.",
        hint="Red on c4 and blue on d4 would found two provinces.",
        done="Two provinces, two pagodas, one tile.",
    ),
    lesson(
        "Expand",
        "A tile of its colour beside a province makes it larger. It stays with its owner,"
        " whoever lays the tile: so do not feed your rival. Expand your own red province.",
        """
        .  .  .  .  .  .  V
        .  .  .  .  .  .  .
        .  .  R1 R1 .  .  .
        .  .  .  .  .  .  .
        .  Y  .  .  B2 B2 .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RY RB BB",
        Goal(deeds=(Expanded,), gives_nothing=True),
        hint="A red half has to touch c3 or d3; red is the province with your number, 1.",
        done="It has grown, but still carries one pagoda. It needs five spaces for the second.",
    ),
    lesson(
        "A major province",
        "From five spaces on a province is a major one, and carries a double pagoda: two"
        " instead of one, however large it grows. Yours has three spaces.",
        """
        .  .  .  .  .  .  V
        .  .  R1 .  .  .  .
        .  .  R1 R1 .  .  .
        .  .  .  .  .  .  .
        .  Y  .  .  B2 B2 .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RB RR YY",
        Goal(deeds=(Major,)),
        hint="Three and two are five: lay RR so that both halves belong to it.",
        done="A major province, and a second pagoda. It is safe now: nobody can take it from you.",
    ),
    lesson(
        "Join",
        "A tile that touches two provinces of its colour joins them. Whoever had more spaces in"
        " them gets it all, as a major province; the others take their pagodas home. You have"
        " three, your rival has two.",
        """
        .  .  .  .  .  .  V
        .  .  .  .  .  .  .
        .  R1 R1 R1 .  R2 R2
        .  .  .  .  .  .  .
        .  Y  .  .  .  B  .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RY RB YB",
        Goal(deeds=(Joined,)),
        hint="The gap is at e3: lay a red half there.",
        done="All of it is yours, with a double pagoda, and your rival has one more to place"
        " again.",
    ),
    lesson(
        "A tie forbids it",
        "Here both have two spaces. Nobody would own the whole, so the rules forbid this join."
        " Try it: lay red on e3, and see how a refusal looks.",
        """
        .  .  .  .  .  .  V
        .  .  .  .  .  .  .
        .  .  R1 R1 .  R2 R2
        .  .  .  .  .  .  .
        .  Y  .  .  .  B  .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RY RB YB",
        Goal(refused=Reason.TIED_JOIN),
        keys="Hold the tile there and press Enter all the same.",
        hint="But for once do the forbidden thing: put a red half on e3.",
        done="Refused: a tie for the most spaces. What is in the way is marked. Make yours larger"
        " first, and the join is allowed.",
    ),
    lesson(
        "Major provinces stay apart",
        "A major province may swallow small ones, of any owner. But two major ones may never be"
        " joined, not even your own. Try it: lay red on d3.",
        """
        .  .  .  .  .  .  V
        R1 R1 .  .  .  R1 R1
        R1 R1 R1 .  R1 R1 R1
        .  .  .  .  .  .  .
        .  Y  .  .  .  B  .
        .  .  .  .  .  .  .
        V  .  .  .  .  .  .
        """,
        "RY RB YB",
        Goal(refused=Reason.JOINS_MAJORS),
        hint="But for once do the forbidden thing: put a red half on d3.",
        done="Refused: both are major. So a major province is a wall as well.",
    ),
    lesson(
        "Connect a village",
        "V is a village. Whoever has more pagodas than anybody else on provinces beside it takes"
        " it, and places a pagoda there. Nobody is beside this one. Reach it with red.",
        """
        .  .  .  .  .  .  .
        .  .  R1 R1 .  .  .
        .  .  .  .  .  .  .
        .  .  .  V  .  .  .
        .  .  .  .  .  .  .
        .  Y  .  .  .  B2 B2
        .  .  .  .  .  .  .
        """,
        "RY RB YB",
        Goal(deeds=(Connected,)),
        hint="Your province has to touch the village at d4, so lay a red half on d3.",
        done="The village is yours: one pagoda more. Beside it counts, corners do not.",
    ),
    lesson(
        "Conquer a village",
        "Your rival holds this village with one pagoda beside it. You have one, too, but a tie"
        " changes nothing. A major province counts two: make your red one major.",
        """
        .  .  .  .  .  .  .
        .  B2 B2 .  .  .  .
        .  .  V2 .  .  .  .
        .  .  R1 R1 .  .  .
        .  .  .  R1 R1 .  .
        .  Y  .  .  .  .  .
        .  .  .  .  .  .  B
        """,
        "RY RB YB",
        Goal(deeds=(Major, Conquered)),
        hint="Your red province needs a fifth space.",
        done="Two against one: you conquered the village, and your rival's pagoda goes home.",
    ),
    lesson(
        "Mind the other half",
        "What your tile gives your rival counts as well. Found a red province, but do not make"
        " the yellow province of your rival a major one.",
        """
        .  .  .  .  .  .  V
        .  .  .  .  .  .  .
        .  .  R  .  Y2 Y2 .
        .  .  .  .  Y2 Y2 .
        .  .  .  .  .  .  .
        .  .  .  .  B  .  .
        V  .  .  .  .  .  .
        """,
        "RY RY RY",
        Goal(deeds=(Founded,), gives_nothing=True),
        hint="Red beside c3, and yellow where it does not touch yellow.",
        done="One for you, nothing for your rival. That is what a hint reckons with, too.",
    ),
    lesson(
        "The last pagoda",
        "You have one pagoda left, your rival three. Whoever places the last one wins at once."
        " There is more than one way.",
        """
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        .  B1 B1 .  .  Y2 Y2
        .  .  .  .  V  .  .
        .  .  R  .  .  .  .
        .  .  .  .  .  .  .
        .  .  .  .  .  .  .
        """,
        "RY RB YB",
        Goal(ends=True),
        hint="You need one more pagoda on the board: found a province, or take a village.",
        done="You win! If nobody gets that far, whoever has placed the most pagodas wins when the"
        " tiles or the spaces run out. You know all that you need.",
        reserves=(1, 3),
    ),
)
