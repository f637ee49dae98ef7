/// The scopes that services are asked for, as people read them. Others are shown by their technical names.
enum ScopeWords {
  static let english = [
    "openid": "Confirm who you are", "email": "See your email address", "profile": "See your name and picture",
    "user-read-email": "See your email address",
    "user-read-private": "See your country and your kind of subscription",
    "playlist-read-private": "See your private playlists",
    "playlist-read-collaborative": "See playlists that you share with others",
    "playlist-modify-public": "Change your public playlists",
    "playlist-modify-private": "Change your private playlists",
    "user-library-read": "See your saved songs and albums",
    "user-library-modify": "Change your saved songs and albums",
    "user-top-read": "See your favorite artists and songs",
    "user-read-recently-played": "See what you played recently",
    "user-read-currently-playing": "See what you are playing now",
    "user-read-playback-state": "See your devices and what they are playing",
  ]

  static let spanish = [
    "openid": "Confirmar quién eres", "email": "Ver tu dirección de correo", "profile": "Ver tu nombre y tu foto",
    "user-read-email": "Ver tu dirección de correo",
    "user-read-private": "Ver tu país y tu tipo de suscripción",
    "playlist-read-private": "Ver tus listas privadas",
    "playlist-read-collaborative": "Ver las listas que compartes con otras personas",
    "playlist-modify-public": "Cambiar tus listas públicas",
    "playlist-modify-private": "Cambiar tus listas privadas",
    "user-library-read": "Ver tus canciones y álbumes guardados",
    "user-library-modify": "Cambiar tus canciones y álbumes guardados",
    "user-top-read": "Ver tus artistas y canciones favoritos",
    "user-read-recently-played": "Ver lo que has escuchado hace poco",
    "user-read-currently-playing": "Ver lo que estás escuchando",
    "user-read-playback-state": "Ver tus dispositivos y lo que suena en ellos",
  ]
}
