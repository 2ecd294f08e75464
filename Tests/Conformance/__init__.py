"""Does a broker keep the Majordomo protocol? Written from RFC 7, 18 and 8, with bare frames."""
