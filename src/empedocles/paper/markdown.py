"""Markdown as Typst source, as far as rules in short need it: headings, paragraphs, lists, tables, bold, code.

`---` begins a new page and `***` a new column; the caller decides what a fenced block becomes.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from empedocles.extras import Extra

with Extra("print"):
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

Figure = Callable[[str, str], str]  # the first line and the content of a fenced block → Typst source

LEVELS = {f"h{level}": level for level in range(1, 7)}


def quoted(text: str) -> str:
    """Text as a Typst string: nothing in it can be markup."""
    return json.dumps(text, ensure_ascii=False)


def to_typst(text: str, figure: Figure) -> str:
    return _blocks(SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text)), figure)


def _blocks(node: SyntaxTreeNode, figure: Figure) -> str:
    return "\n".join(_block(child, figure) for child in node.children)


def _block(node: SyntaxTreeNode, figure: Figure) -> str:
    match node.type:
        case "heading":
            return f"#heading(level: {LEVELS[node.tag]})[{_inlines(node)}]\n"
        case "paragraph":
            return f"{_inlines(node)}\n"
        case "bullet_list" | "ordered_list":
            items = ", ".join(f"[{_blocks(item, figure).strip()}]" for item in node.children)
            return f"#{'list' if node.type == 'bullet_list' else 'enum'}({items})\n"
        case "table":
            return _table(node)
        case "hr":
            return "#colbreak()\n" if "*" in node.markup else "#pagebreak()\n"
        case "fence":
            return figure(node.info, node.content)
        case other:
            raise ValueError(f"rules in short have no {other!r}")


def _table(node: SyntaxTreeNode) -> str:
    rows = [row for part in node.children for row in part.children]
    cells = ", ".join(f"[{_inlines(cell)}]" for row in rows for cell in row.children)
    return f"#table(columns: {len(rows[0].children)}, {cells})\n"


def _inlines(node: SyntaxTreeNode) -> str:
    return "".join(_inline(child) for child in node.children)


def _inline(node: SyntaxTreeNode) -> str:
    match node.type:
        case "text":
            return f"#{quoted(node.content)}"
        case "softbreak":
            return '#" "'
        case "code_inline":
            return f"#raw({quoted(node.content)})"
        case "strong" | "em":
            return f"#{'strong' if node.type == 'strong' else 'emph'}[{_inlines(node)}]"
        case "inline":
            return _inlines(node)
        case other:
            raise ValueError(f"rules in short have no {other!r}")
