"""Remote code search: what it is to us, who can be asked, and who allowed it. Nothing is sent without consent."""
