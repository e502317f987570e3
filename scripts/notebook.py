"""Runs a notebook's cells as Jupyter would, without Jupyter: notebook.py NOTEBOOK [--write]

With --write the outputs (text and pictures) are put into the notebook. Cells tagged "pictures" need matplotlib and are
skipped where it is missing.
"""

import ast
import base64
import contextlib
import importlib.util
import io
import json
import sys


def run_source(source, names):
    """Runs a cell; its last expression is printed, as in Jupyter."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None and not source.rstrip().endswith(";"):
                print(repr(value))
    return text.getvalue()


def pictures():
    """The figures that a cell has drawn, as JPEG."""
    if "matplotlib" not in sys.modules:
        return
    import matplotlib.pyplot as plt

    for number in plt.get_fignums():
        data = io.BytesIO()
        plt.figure(number).savefig(data, format="jpeg", dpi=80)
        plt.close(number)
        yield base64.b64encode(data.getvalue()).decode()


def run_notebook(notebook):
    """Runs all cells in one namespace and keeps what they print and draw. Returns how many were skipped."""
    drawing = importlib.util.find_spec("matplotlib") is not None
    if drawing:
        import matplotlib

        matplotlib.use("Agg")
    names = {"__name__": "__main__"}
    skipped = 0
    for count, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        if "pictures" in cell["metadata"].get("tags", []) and not drawing:
            skipped += 1
            continue
        text = run_source("".join(cell["source"]), names)
        cell["execution_count"] = count
        cell["outputs"] = []
        if text:
            lines = text.splitlines(keepends=True)
            cell["outputs"].append({"name": "stdout", "output_type": "stream", "text": lines})
        for picture in pictures():
            output = {"data": {"image/jpeg": picture}, "metadata": {}, "output_type": "display_data"}
            cell["outputs"].append(output)
    return skipped


def main():
    path = sys.argv[1]
    with open(path) as file:
        notebook = json.load(file)
    skipped = run_notebook(notebook)
    if "--write" in sys.argv:
        with open(path, "w") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
            file.write("\n")
    print(f"{path}: {skipped} cells skipped, matplotlib is missing" if skipped else f"{path}: all cells ran")


if __name__ == "__main__":
    main()
