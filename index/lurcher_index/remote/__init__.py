"""Remote code search: what is known of it. Off unless a setting says otherwise; nothing here opens a connection."""
