"""Deeds: actions of players on the record besides playing, such as taking back or resigning.

Each deed is one file of this folder. The modules below find the files by their place and name none of them. A file
holds the entry of its deed, a `DescribedDeed`, and usually an offer, its `DescribedOffer`. They say who must agree,
what the deed would do, how it is folded and judged, and which words describe it. The function that records the deed by
`append` is there, too. Each deed also has a command, in another file.

`DEED_NUMBER` gives the order in which deeds were added. Schemas list them in that order, and a new deed takes the next
number. These files do not import `annotations`. As text, annotations would have to be evaluated before a log is read.
"""
