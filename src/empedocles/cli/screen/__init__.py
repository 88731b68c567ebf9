"""A table on the whole screen: the board drawn in characters, panels, a cursor and an input line.

layout       where boxes of a picture lie in characters, and where everything is on a screen
canvas       characters with colours
board        a position, its marks and the cursor
panels       all that is said beside the board
pages        what is read instead of the board: keys, moves, rules
display      the whole screen as lines of characters
controls     what a person does: the cursor, the move being entered, commands
thinker      the thread in which agents think
application  keys, input line, pages to scroll: the part that knows prompt_toolkit
"""
