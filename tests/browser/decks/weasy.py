"""Draws pictures as WeasyPrint puts them into a PDF, as PNG of the same size: weasy.py WIDTH HEIGHT [PICTURE.svg DRAWN.png]..."""

import pathlib
import sys

import pypdfium2
import weasyprint

width, height, *files = sys.argv[1:]
style = f"@page {{ size: {width}px {height}px; margin: 0 }} body {{ margin: 0 }} img {{ display: block }}"
for picture, drawn in zip(files[::2], files[1::2]):
    address = pathlib.Path(picture).resolve().as_uri()
    pdf = weasyprint.HTML(string=f'<style>{style}</style><img src="{address}">').write_pdf()
    pages = pypdfium2.PdfDocument(pdf)
    if len(pages) != 1:
        sys.exit(f"{picture} takes {len(pages)} pages")
    # a point is 4/3 of a CSS pixel
    pages[0].render(scale=96 / 72).to_pil().save(drawn)
