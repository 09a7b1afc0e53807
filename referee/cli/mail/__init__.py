"""What commands of play by mail share: who has the pen, what became of mail that came, and how its entries are told."""
