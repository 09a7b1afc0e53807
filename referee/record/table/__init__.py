"""A game from its log: folded, judged, said and recorded, mended."""
